"""Where everything of a picture stands: tiers as rows, planes and pods as columns; all in pixels at real size."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from fabricgen.device import Role
from fabricgen.report.diagrams.outline import Block, Bundle, Detail, Outline
from fabricgen.report.diagrams.shapes import Box, Label, Picture, Shape, Wire, text_width
from fabricgen.report.diagrams.words import Span, Speeds, device_title, links_text, span_text, summary, tier_text

_NAME, _SMALL, _HEAD = 11, 10, 16
_CELL, _LINE, _PAD, _GAP, _EDGE = 24, 15, 8, 14, 20
#: Names of one column of a block where switches are named, and the least number of columns of spines and cores.
_TALL, _WIDE = 8, 4
_SWATCH = 10
ROWS = (Role.CORE, Role.SPINE, Role.LEAF, Role.SERVER)

Column = tuple[Span | None, Span | None]


def lay_out(outline: Outline) -> Picture:
    """Return the picture of an outline."""
    return _Layout(outline).picture()


class _Layout:
    """The steps of :func:`lay_out`."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.links = outline.detail is Detail.LINKS
        self.gap = 130 if self.links else 76
        self.out = Picture()
        self.place: dict[str, Box] = {}
        self.block_of: dict[str, Box] = {}
        self.up: dict[str, list[Bundle]] = {end: [] for block in outline.blocks for end in self.ends(block)}
        role_of = {end: block.role for block in outline.blocks for end in self.ends(block)}
        self.peers = [bundle for bundle in outline.bundles if role_of[bundle.lower] is role_of[bundle.upper]]
        for bundle in outline.bundles:
            if bundle not in self.peers:
                self.up[bundle.lower].append(bundle)
        self.down = self.server_links()
        self.column_of = self.columns_of_blocks()
        self.columns = list(dict.fromkeys(self.column_of[block.key] for block in outline.of_role(Role.LEAF)))
        self.columns.sort(key=lambda column: tuple(span or (0, 0) for span in column))
        self.framed = any(column != (None, None) for column in self.columns)

    def picture(self) -> Picture:
        sizes = {block.key: self.size(block) for block in self.outline.blocks}
        self.align(sizes)
        left = self.heading_width() + _EDGE + _GAP
        extents = self.place_columns(left, sizes)
        right = max(box.x + box.width for box in extents.values())
        tops, bottoms = self.row_heights(sizes)
        for block in self.outline.blocks:
            x, width = self.place_x(block, extents, sizes, left, right)
            self.place[block.key] = Box(x, tops[block.role], width, sizes[block.key][1])
        self.block_of = {end: self.place[block.key] for block in self.outline.blocks for end in self.ends(block)}
        for block in self.outline.blocks:
            self.draw_block(block)
        self.draw_frames(extents, tops, bottoms)
        self.draw_wires(tops)
        self.draw_peers()
        self.draw_headings(tops, bottoms)
        edge = max(box.x + box.width for box in self.place.values())
        self.finish(max(edge, right), max(bottoms.values()))
        return self.out

    # what belongs where

    def server_links(self) -> Mapping[str, Speeds]:
        """Return the server links of each leaf that is drawn with lines of its own."""
        found: dict[str, Counter[int]] = defaultdict(Counter)
        servers = {end for block in self.outline.of_role(Role.SERVER) for end in self.ends(block)}
        if self.links:
            for bundle in self.outline.bundles:
                if bundle.lower in servers:
                    found[bundle.upper].update(dict(bundle.speeds))
        return {leaf: tuple(sorted(speeds.items(), reverse=True)) for leaf, speeds in found.items()}

    def ends(self, block: Block) -> list[str]:
        """Return the ends of bundles that a block has: its devices or itself."""
        return [device.name for device in block.devices] if self.links and block.named else [block.key]

    def columns_of_blocks(self) -> dict[str, Column]:
        """Return the column of each block: its plane and pod; for servers that of their leaves, if it is one."""
        columns: dict[str, Column] = {}
        owner = {end: block for block in self.outline.blocks for end in self.ends(block)}
        shared = False
        for block in self.outline.blocks:
            columns[block.key] = (block.planes, block.pods)
            if block.role is Role.SERVER:
                found = {columns[owner[bundle.upper].key] for end in self.ends(block) for bundle in self.up[end]}
                columns[block.key] = next(iter(found)) if len(found) == 1 else (None, None)
                shared = shared or len(found) != 1
        if shared:
            columns.update({block.key: (None, None) for block in self.outline.of_role(Role.SERVER)})
        return columns

    def blocks_in(self, column: Column, role: Role) -> list[Block]:
        """Return the blocks of a tier in a column."""
        return [block for block in self.outline.of_role(role) if self.column_of[block.key] == column]

    # sizes

    def cell_width(self, block: Block) -> float:
        names = [text_width(device.name, _NAME) for device in block.devices]
        below = [text_width(links_text(self.down.get(device.name, ())), _SMALL) - 10 for device in block.devices]
        return max(*names, *below) + 2 * _PAD + 4

    def size(self, block: Block, cols: int | None = None) -> tuple[float, float]:
        """Return a block's width and height; where switches are named, spines and cores in some columns."""
        label = max((text_width(self.uplink_text(end), _SMALL) + _PAD for end in self.ends(block)), default=0)
        if not block.named:
            lines = block.lines
            width = max(text_width(line, _NAME) for line in lines) + 2 * _PAD
            swatches = len(block.rails) * (_SWATCH + 2) + 2 * _PAD
            height = len(lines) * _LINE + _PAD + (_SWATCH + 4 if block.rails else 0)
            return max(width, swatches, label, self.fan(block)), height
        cols = cols or self.cols(block)
        rows = ceil(len(block.devices) / cols)
        title = self.title(block)
        width = max(cols * (self.cell_width(block) + 6) + 6, text_width(title, _SMALL) + 2 * _PAD, label)
        return width, rows * (_CELL + 4) + 8 + (_LINE if title else 0)

    def fan(self, block: Block) -> float:
        """Return the width that a block's lines take, so that they can be told apart."""
        return 14.0 * len(self.up.get(block.key, ())) if self.links else 0

    def cols(self, block: Block) -> int:
        """Return the number of columns of a block of names."""
        number = len(block.devices)
        if self.links:
            return number
        if block.role is Role.LEAF:
            return ceil(number / _TALL) if number <= 2 * _TALL or block.units else ceil(number / _TALL * 1.5)
        return min(number, max(_WIDE, ceil(number / _TALL * 2)))

    def title(self, block: Block) -> str:
        """Return what stands above the names of a block."""
        group = block.group if block.role is Role.LEAF and block.group != "leaf" else ""
        only = self.outline.fabric.sizing.units == 1 if not group else len(block.devices) == 1
        return " ".join(filter(None, (group, "" if only else span_text("unit", block.units))))

    def uplink_text(self, end: str) -> str:
        """Return the links up from a block in words; nothing where lines go from device to device."""
        bundles = self.up.get(end, [])
        if self.links or not bundles:
            return ""
        if len({bundle.speeds for bundle in bundles}) == 1:
            return bundles[0].text if len(bundles) == 1 else f"{len(bundles)} x ({bundles[0].text})"
        total: Counter[int] = Counter()
        for bundle in bundles:
            total.update(dict(bundle.speeds))
        return f"{links_text(tuple(sorted(total.items(), reverse=True)))}, {len(bundles)} ways"

    # places

    def column_title(self, column: Column) -> str:
        """Return the name of a column; the rail where a plane has a single one."""
        planes, pods = column
        rails = {rail for block in self.blocks_in(column, Role.LEAF) for rail in block.rails}
        title = ", ".join(filter(None, (span_text("plane", planes), span_text("pod", pods))))
        one_each = planes is not None and planes[0] == planes[1] and len(rails) == 1
        return f"{title}: rail {min(rails) + 1}" if one_each and len(self.outline.rails) > 1 else title

    def place_columns(self, left: float, sizes: Mapping[str, tuple[float, float]]) -> dict[Column, Box]:
        """Return left edge and width of each column."""
        extents, x = {}, left
        for column in self.columns:
            rows = [self.row_width(self.blocks_in(column, role), sizes) for role in ROWS[1:]]
            title = 2 * (text_width(self.column_title(column), _NAME) + _GAP) if self.framed else 0
            width = max(*rows, title) + (2 * _PAD if self.framed else 0)
            extents[column] = Box(x, 0, width, 0)
            x += width + _GAP
        return extents

    def align(self, sizes: dict[str, tuple[float, float]]) -> None:
        """Make blocks of leaves and the servers below them equally wide, where there is one for each."""
        for column in self.columns:
            leaves, servers = self.blocks_in(column, Role.LEAF), self.blocks_in(column, Role.SERVER)
            if len(leaves) == len(servers):
                for pair in zip(leaves, servers, strict=True):
                    width = max(sizes[block.key][0] for block in pair)
                    sizes.update({block.key: (width, sizes[block.key][1]) for block in pair})

    def row_width(self, blocks: Sequence[Block], sizes: Mapping[str, tuple[float, float]]) -> float:
        return sum(sizes[block.key][0] for block in blocks) + _GAP * max(len(blocks) - 1, 0)

    def place_x(
        self,
        block: Block,
        extents: Mapping[Column, Box],
        sizes: Mapping[str, tuple[float, float]],
        left: float,
        right: float,
    ) -> tuple[float, float]:
        """Return a block's left edge and width: its row is centred on its column, or on all of them."""
        column, role = self.column_of[block.key], block.role
        row = self.blocks_in(column, role)
        if role is Role.CORE:
            mine = [box for key, box in extents.items() if block.planes in {None, key[0]}]
            first, last = mine[0].x, mine[-1].x + mine[-1].width
        elif column in extents:
            first, last = extents[column].x, extents[column].x + extents[column].width
        else:
            first, last = left, right
        x = max(first + (last - first - self.row_width(row, sizes)) / 2, left)
        before = row[: row.index(block)]
        return x + self.row_width(before, sizes) + (_GAP if before else 0), sizes[block.key][0]

    def row_heights(self, sizes: Mapping[str, tuple[float, float]]) -> tuple[dict[Role, float], dict[Role, float]]:
        """Return upper and lower edge of the blocks of each tier."""
        tops: dict[Role, float] = {}
        bottoms: dict[Role, float] = {}
        y, previous = 70.0 + (2 * _LINE if self.peers else 0), None
        highest = next(role for role in ROWS[1:] if self.outline.of_role(role))
        for role in ROWS:
            blocks = self.outline.of_role(role)
            if not blocks:
                continue
            if previous is not None:
                y += self.gap
            if self.framed and role is highest:
                y += _LINE + _PAD if previous is not None else 2 * _LINE + 2 * _PAD
            tops[role] = y
            y = bottoms[role] = y + max(sizes[block.key][1] for block in blocks)
            previous = role
        return tops, bottoms

    # drawing

    def draw_block(self, block: Block) -> None:
        box = self.place[block.key]
        self.out.frames.append(Shape("block", box, title=self.block_title(block)))
        if block.named:
            self.draw_cells(block, box)
        else:
            for number, line in enumerate(block.lines):
                y = box.y + _LINE * (number + 1)
                self.out.labels.append(Label(box.middle, y, line, _NAME, strong=number == 0))
            self.draw_swatches(block.rails, box)
        text = self.uplink_text(block.key)
        if text:
            self.paper(Label(box.middle, box.y - 7, text, _SMALL))

    def draw_swatches(self, rails: Sequence[int], box: Box) -> None:
        step = _SWATCH + 2
        x = box.middle - len(rails) * step / 2 + 1
        for number, rail in enumerate(rails):
            place = Box(x + number * step, box.bottom - _SWATCH - 5, _SWATCH, _SWATCH)
            self.out.shapes.append(Shape("swatch", place, rail, f"rail {rail + 1}"))

    def draw_cells(self, block: Block, box: Box) -> None:
        title, cols = self.title(block), self.cols(block)
        if title:
            self.paper(Label(box.x + _PAD, box.y + 12, title, _SMALL, middle=False), "tag")
        width = (box.width - 6) / cols - 6
        first = box.y + 6 + (_LINE if title else 0)
        rows = ceil(len(block.devices) / cols)
        for number, device in enumerate(block.devices):
            col, row = (number // rows, number % rows) if not self.links else (number, 0)
            cell = Box(box.x + 6 + col * (width + 6), first + row * (_CELL + 4), width, _CELL)
            self.place[device.name] = cell
            self.out.shapes.append(Shape("cell", cell, device.rail, device_title(device)))
            self.out.labels.append(Label(cell.middle, cell.y + 16, device.name))
            if device.name in self.down:
                self.paper(Label(cell.middle, box.bottom + 14, links_text(self.down[device.name]), _SMALL))

    def block_title(self, block: Block) -> str:
        parts = [*block.lines, span_text("plane", block.planes), span_text("pod", block.pods)]
        return ", ".join([*filter(None, parts), *sorted({device.hardware for device in block.devices})])

    def draw_frames(
        self, extents: Mapping[Column, Box], tops: Mapping[Role, float], bottoms: Mapping[Role, float]
    ) -> None:
        """Draw a frame around each plane and pod, with its name."""
        if not self.framed:
            return
        upper = min(tops[role] for role in (Role.SPINE, Role.LEAF) if role in tops)
        local = any(self.column_of[block.key] in extents for block in self.outline.of_role(Role.SERVER))
        lower = bottoms[Role.SERVER] if local and Role.SERVER in bottoms else bottoms[Role.LEAF]
        y = upper - 2 * _LINE - _PAD - 2
        frames = []
        for column, extent in extents.items():
            frames.append(
                Shape("frame", Box(extent.x, y, extent.width, lower + _PAD + (0 if local else 14 * self.links) - y))
            )
            self.out.labels.append(Label(extent.x + _PAD, y + 15, self.column_title(column), middle=False, strong=True))
        self.out.frames[:0] = frames

    def draw_wires(self, tops: Mapping[Role, float]) -> None:
        roles = {end: block.role for block in self.outline.blocks for end in self.ends(block)}
        for end, bundles in self.up.items():
            if not bundles:
                continue
            box, role = self.place[end], roles[end]
            ordered = sorted(bundles, key=lambda bundle: self.place[bundle.upper].middle)
            title_room = self.framed and tops[role] == min(tops[role] for role in tops if role is not Role.CORE)
            turn = tops[role] - (2 * _LINE + _PAD + 2 if title_room else 16 if not self.links else 0)
            step = box.width / len(ordered) if self.links else min(box.width / len(ordered), 60)
            for number, bundle in enumerate(ordered):
                offset = (number - (len(ordered) - 1) / 2) * step if self.links or len(ordered) <= 4 else 0
                upper = self.place[bundle.upper]
                arrive = self.arrival(bundle.upper)
                ends = (box.middle + offset, box.y, turn, arrive, upper.middle, upper.bottom)
                self.out.wires.append(Wire(*ends, bundle, curved=not self.links))

    def draw_peers(self) -> None:
        """Draw the links between two switches of one tier above them, unless they are drawn as one block."""
        for bundle in self.peers:
            if bundle.lower == bundle.upper:
                continue
            first, second = self.place[bundle.lower], self.place[bundle.upper]
            over = self.block_of[bundle.lower].y - _LINE
            self.out.wires.append(
                Wire(first.middle, first.y, over, over, second.middle, second.y, bundle, curved=False)
            )
            self.paper(Label((first.middle + second.middle) / 2, over + 4, bundle.text, _SMALL))

    def arrival(self, upper: str) -> float:
        """Return the y below which a line to a device or block moves sideways: below its label, and its frame."""
        bottom = self.block_of[upper].bottom
        if upper in self.down:
            bottom += 22 + _PAD * self.framed
        return bottom

    def draw_headings(self, tops: Mapping[Role, float], bottoms: Mapping[Role, float]) -> None:
        """Write the tiers beside their rows, and the links between two tiers beside the gap."""
        for role, lines in self.headings():
            for number, line in enumerate(lines):
                size = _SMALL if number else 12
                y = tops[role] + 14 + number * _LINE
                self.out.labels.append(Label(_EDGE, y, line, size, middle=False, strong=not number))
        for (lower, upper), text in self.outline.notes.items():
            lines = text.split("\n")
            middle = (bottoms[upper] + tops[lower]) / 2 - len(lines) * _LINE / 2
            middle = max(middle, bottoms[upper], tops[upper] + 14 + 2 * _LINE)
            for number, line in enumerate(lines):
                self.out.labels.append(Label(_EDGE, middle + (number + 1) * _LINE - 4, line, _SMALL, middle=False))

    def headings(self) -> Iterator[tuple[Role, list[str]]]:
        for role in ROWS:
            devices = [device for block in self.outline.of_role(role) for device in block.devices]
            if devices:
                models = list(dict.fromkeys(device.hardware for device in devices))
                also = models[0] if len(models) == 1 else f"{len(models)} models"
                yield role, [tier_text(role, len(devices)), also]

    def heading_width(self) -> float:
        texts = [line for _, lines in self.headings() for line in lines]
        texts += [line for text in self.outline.notes.values() for line in text.split("\n")]
        return max(text_width(text, _NAME) for text in texts) + _GAP

    def finish(self, right: float, bottom: float) -> None:
        """Write the title and the legend, and set the picture's size."""
        fabric = self.outline.fabric
        title = Label(_EDGE, 32, f"{fabric.name}: {fabric.kind}, {fabric.design}", _HEAD, middle=False, strong=True)
        line = Label(_EDGE, 50, summary(fabric), _NAME, middle=False)
        self.out.labels[:0] = [title, line]
        y, x = bottom + 36.0, float(_EDGE)
        right = max(right, title.box.x + title.box.width, line.box.x + line.box.width)
        rails = self.outline.rails if len(self.outline.rails) > 1 else ()
        for rail in rails:
            label = Label(x + _SWATCH + 5, y + 9, f"rail {rail + 1}", _SMALL, middle=False)
            if label.box.x + label.box.width > right:
                x, y = float(_EDGE), y + _LINE + 2
                label = Label(x + _SWATCH + 5, y + 9, label.text, _SMALL, middle=False)
            self.out.shapes.append(Shape("swatch", Box(x, y, _SWATCH, _SWATCH), rail))
            self.out.labels.append(label)
            x = label.box.x + label.box.width + _GAP
        self.out.width, self.out.height = ceil(right + _EDGE), ceil(y + (_EDGE + 8 if rails else -8))

    def paper(self, label: Label, kind: str = "paper") -> None:
        """Write a label on paper, as lines pass behind it."""
        box = label.box
        self.out.shapes.append(Shape(kind, Box(box.x - 2, box.y - 2, box.width + 4, box.height + 4)))
        self.out.labels.append(label)
