"""What people and programs get to see: findings, plans, cabling, addresses and pictures."""
