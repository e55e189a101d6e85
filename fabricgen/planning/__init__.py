"""Plans: addresses, AS numbers, GUIDs, QoS and buffers for a fabric, and their lowering to device models."""
