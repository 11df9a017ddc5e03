import type { FlowGraph } from '#shared/flows/graph.ts'
import type { DrawnEdges } from './lines.ts'
import { cardOutputs, entryPx, isLarge, outputHeights, roughSize, stepWidthPx } from './rough-size.ts'

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The coordinates at which a line turns, alternately x and y. Empty: it is straight, or has one bend in the middle. */
type Turns = readonly number[]

interface Segment {
  readonly a: Point
  readonly b: Point
  readonly to: string
}

/** The least distance from a line to a step, and between two lines, in canvas pixels. */
const [gap, apart] = [20, 8]
const cornerRadius = 10
const tracks = [0, 1, 2, 3, 4, 5]

/** The points of a line that leaves to the right and arrives from the left. */
export const wayPoints = (from: Point, to: Point, turns: Turns): Point[] => {
  const points = [from]
  turns.forEach((turn, i) => {
    const last = points.at(-1) ?? from
    points.push(i % 2 ? { x: last.x, y: turn } : { x: turn, y: last.y })
  })
  const last = points.at(-1) ?? from
  return [...points, { x: last.x, y: to.y }, to].filter(
    (point, i, all) => i === 0 || point.x !== all[i - 1]?.x || point.y !== all[i - 1]?.y,
  )
}

/** Straight lines with round corners. */
export function svgPath(points: readonly Point[]): string {
  const towards = (a: Point, b: Point, by: number): Point => {
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
    const part = Math.min(by, length / 2) / length
    return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }
  }
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  const corners = rest.slice(0, -1).map((corner, i) => {
    const before = towards(corner, points[i] ?? corner, cornerRadius)
    const after = towards(corner, points[i + 2] ?? corner, cornerRadius)
    return `L${before.x},${before.y}Q${corner.x},${corner.y} ${after.x},${after.y}`
  })
  return `M${first.x},${first.y}${corners.join('')}L${last.x},${last.y}`
}

/** The line of a large flow, and of a step that is being dragged: it ignores other steps. */
export const plainTurns = (from: Point, to: Point): Turns => {
  if (to.x >= from.x + 2 * gap) return [from.x + gap]
  return [from.x + gap, Math.max(from.y, to.y) + 60, to.x - gap]
}

const segmentsOf = (points: readonly Point[], to: string): Segment[] =>
  points.slice(1).map((b, i) => ({ a: points[i] ?? b, b, to }))

const runsUnder = ({ a, b }: Segment, { left, top, right, bottom }: Box): boolean =>
  Math.max(a.x, b.x) > left && Math.min(a.x, b.x) < right && Math.max(a.y, b.y) > top && Math.min(a.y, b.y) < bottom

/** 1: they cross. 2: they run on or beside one another. */
const meets = (one: Segment, other: Segment): 0 | 1 | 2 => {
  const isFlat = (segment: Segment) => segment.a.y === segment.b.y
  const [along, across] = isFlat(one) ? (['x', 'y'] as const) : (['y', 'x'] as const)
  const overlap =
    Math.min(Math.max(one.a[along], one.b[along]), Math.max(other.a[along], other.b[along])) -
    Math.max(Math.min(one.a[along], one.b[along]), Math.min(other.a[along], other.b[along]))
  if (isFlat(one) === isFlat(other)) return overlap > 0 && Math.abs(one.a[across] - other.a[across]) < apart - 1 ? 2 : 0
  const isWithin = (value: number, a: number, b: number) => value > Math.min(a, b) && value < Math.max(a, b)
  return isWithin(other.a[along], one.a[along], one.b[along]) &&
    isWithin(one.a[across], other.a[across], other.b[across])
    ? 1
    : 0
}

/** The cost of a line by itself, in pixels: its length and its bends. */
const lengthCost = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { a, b }) => sum + 14 + Math.abs(a.x - b.x) + Math.abs(a.y - b.y), 0)

/** Comparisons that are left for planning the lines of a flow. They block the page at each change of the drawing. */
interface Budget {
  left: number
}
const mostComparisons = 1_000_000

interface Surroundings {
  readonly boxes: readonly Box[]
  /** The lines that are there already; those to the same step may merge. */
  readonly drawn: readonly Segment[]
  readonly budget: Budget
}

/**
 * The cost of a line: its length, the steps that it runs under, and the lines that it crosses or covers. Counting stops
 * at `below`, so a result from there on is too low.
 */
const costOf = (segments: readonly Segment[], { boxes, drawn, budget }: Surroundings, below: number): number => {
  let cost = lengthCost(segments)
  for (const segment of segments) {
    budget.left -= boxes.length
    for (const box of boxes) if (runsUnder(segment, box)) cost += 3000
    if (cost >= below) return cost
  }
  for (const segment of segments) {
    budget.left -= drawn.length
    for (const other of drawn) {
      if (other.to === segment.to) continue
      const how = meets(segment, other)
      if (how) cost += how === 1 ? 60 : 250
    }
    if (cost >= below) return cost
  }
  return cost
}

/** The cheapest line from `from` to `to`. When the budget is used up, the cheapest one found so far. */
export function turnsOf(from: Point, to: Point, toId: string, around: Surroundings): Turns {
  const outs = tracks.map(track => from.x + gap + track * apart)
  const ins = tracks.map(track => to.x - gap - track * apart)
  const plain = plainTurns(from, to)
  if (around.budget.left <= 0) return plain
  const choices: Turns[] = []
  if (to.x > from.x) {
    if (from.y === to.y) choices.push([])
    choices.push(...[...outs, ...ins].filter(x => x > from.x + 8 && x < to.x - 12).map(x => [x]))
  }
  const [near, far] = [Math.min(from.x, to.x) - 80, Math.max(from.x, to.x) + 80]
  const rows = around.boxes
    .filter(box => box.left < far && box.right > near)
    .flatMap(({ top, bottom }) => [top - 16, bottom + 16, top - 24, bottom + 24])
  for (const y of rows) for (const out of outs) choices.push([out, y, ins[0] ?? to.x - gap])
  const segmentsFor = (turns: Turns) => segmentsOf(wayPoints(from, to, turns), toId)
  // Sorted by length: a line whose length alone costs more than the best line cannot be better, nor can any after it.
  const ordered = choices
    .map(turns => ({ turns, segments: segmentsFor(turns) }))
    .map(choice => ({ ...choice, least: lengthCost(choice.segments) }))
    .sort((a, b) => a.least - b.least)
  let best = plain
  let lowest = costOf(segmentsFor(plain), around, Number.POSITIVE_INFINITY)
  for (const { turns, segments, least } of ordered) {
    if (least >= lowest || around.budget.left <= 0) break
    const cost = costOf(segments, around, lowest)
    if (cost < lowest) [best, lowest] = [turns, cost]
  }
  return best
}

/** A planned line from one step to another. Its steps may have moved since it was planned. */
export interface Way {
  readonly from: Point
  readonly to: Point
  readonly turns: Turns
}

/**
 * The lines of a flow by edge id, for flows that are drawn whole: each from its output, around steps, apart from lines
 * to other steps. `heights`: of the steps already measured.
 */
export function waysOf(
  graph: FlowGraph,
  { labels, down }: DrawnEdges,
  heights: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, Way> {
  const ways = new Map<string, Way>()
  if (isLarge(graph)) return ways
  const cards = new Map(
    graph.nodes.map(node => {
      const isDown = down.has(node.id)
      const height = heights.get(node.id) ?? roughSize(node, isDown).measured.height
      const outputs = outputHeights(cardOutputs(node, isDown), height)
      const box: Box = { left: node.x, top: node.y, right: node.x + stepWidthPx, bottom: node.y + height }
      return [node.id, { box, outputs }] as const
    }),
  )
  const boxes = [...cards.values()].map(({ box }) => box)
  const drawn: Segment[] = []
  const budget: Budget = { left: mostComparisons }
  const wanted = graph.edges.flatMap(({ id, from, output, to }) => {
    const [source, target] = [cards.get(from), cards.get(to)]
    const y = source?.outputs.get(output)
    if (!source || !target || y === undefined || (output === 'next' && down.has(from))) return []
    const begin = { x: source.box.right, y: source.box.top + y }
    return { id, to, isLabel: labels.has(id), begin, end: { x: target.box.left, y: target.box.top + entryPx } }
  })
  // From left to right. Beside a step, lines that go down turn from the lowest on and those that go up from the
  // highest on; otherwise they would have to cross.
  const turnsFirst = ({ begin, end }: (typeof wanted)[number]) => (end.y > begin.y ? -begin.y : begin.y)
  wanted.sort((a, b) => a.begin.x - b.begin.x || turnsFirst(a) - turnsFirst(b))
  for (const isLabel of [false, true])
    for (const { id, to, begin, end } of wanted.filter(one => one.isLabel === isLabel)) {
      const turns = turnsOf(begin, end, to, { boxes, drawn, budget })
      ways.set(id, { from: begin, to: end, turns })
      if (!isLabel) drawn.push(...segmentsOf(wayPoints(begin, end, turns), to))
    }
  return ways
}
