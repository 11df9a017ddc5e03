import t from 'tap'
import { type Block, partIntoBlocks } from '#client/inbox/thread/thread-blocks.ts'
import {
  blockAt,
  blocksFilling,
  covers,
  type Drawn,
  drawnAround,
  drawnAt,
  heightOf,
  windowSegments,
} from '#client/inbox/thread/thread-window.ts'
import type { Message } from '#shared/inbox/messages.ts'

const all = Array.from({ length: 400 }, (_, i) => ({ id: String(i), text: `mensaje ${i}` }) as Message)
const idsOf = (blocks: readonly Block[]) => blocks.flatMap(block => block.messages.map(({ id }) => Number(id)))
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

t.test('every message is in one block, in order, whatever is added at either end', async t => {
  let blocks = partIntoBlocks(all.slice(200, 250))
  t.same(idsOf(blocks), numbers(200, 250))
  const known = blocks
  blocks = partIntoBlocks(all.slice(150, 253), known)
  t.same(idsOf(blocks), numbers(150, 253))
  t.ok(blocks.every(({ messages }) => messages.length > 0 && messages.length <= 6))
  for (const block of known.slice(1, -1)) t.ok(blocks.includes(block), 'the same object: it is not drawn anew')
  t.equal(blocks.find(({ key }) => key === known[0]?.key)?.before, all[199], 'what it follows is told')
})

t.test('a changed, inserted or deleted message changes at most its block and the next one', async t => {
  const known = partIntoBlocks(all.slice(0, 60))
  const changed = all.slice(0, 60).map(message => (message.id === '20' ? { ...message, text: 'otra cosa' } : message))
  const after = partIntoBlocks(changed, known)
  t.equal(after.filter(block => !known.includes(block)).length, 1)
  const without = partIntoBlocks(
    changed.filter(({ id }) => id !== '24'),
    after,
  )
  t.same(
    idsOf(without),
    numbers(0, 60).filter(id => id !== 24),
  )
  t.ok(without.filter(block => !after.includes(block)).length <= 2)
})

t.test('a message keeps its block when the server gives it its id', async t => {
  const own = { id: 'k1', clientKey: 'k1' } as Message
  const known = partIntoBlocks([own])
  const [block] = partIntoBlocks([{ ...own, id: '7' } as Message], known)
  t.equal(block?.key, 'k1')
})

const blocks = partIntoBlocks(all)
const heights = new Map(blocks.map((block, i) => [block.key, 200 + (i % 5) * 40]))
const total = blocks.reduce((px, block) => px + heightOf(block, heights), 0)
const height = 800

/** The rendered range, in px from the end. */
const reach = ({ below, count }: Drawn) => {
  const px = (list: readonly Block[]) => list.reduce((sum, block) => sum + heightOf(block, heights), 0)
  const low = px(blocks.slice(blocks.length - below))
  return { low, high: low + px(blocks.slice(blocks.length - below - count, blocks.length - below)) }
}

t.test('at any scroll position the visible part is rendered with a margin, and not much more', async t => {
  let drawn: Drawn = { below: 0, count: 9, held: [] }
  const places = [
    ...numbers(0, 60).map(step => step * 150),
    ...numbers(0, 60).map(step => 9000 - step * 150),
    total,
    0,
    4321,
  ]
  for (const wanted of places) {
    const fromEnd = Math.min(wanted, total - height)
    drawn = drawnAt(blocks, heights, { at: fromEnd, height }, drawn)
    const { low, high } = reach(drawn)
    t.ok(low <= Math.max(0, fromEnd - 400), `below ${fromEnd}`)
    t.ok(high >= Math.min(total, fromEnd + height + 400), `above ${fromEnd}`)
    t.ok(drawn.count <= 22, 'no more than is near')
    t.equal(drawnAt(blocks, heights, { at: fromEnd, height }, drawn), drawn, 'asked again, nothing changes')
  }
})

t.test('a small scroll back and forth renders nothing again', async t => {
  const there = drawnAt(blocks, heights, { at: 5000, height }, { below: 0, count: 9, held: [] })
  const further = drawnAt(blocks, heights, { at: 5300, height }, there)
  t.equal(drawnAt(blocks, heights, { at: 5000, height }, further), further)
})

t.test('a visible part that is not rendered is urgent', async t => {
  const drawn = { below: 3, count: 8, held: [] }
  const { low, high } = reach(drawn)
  const sees = (at: number, height: number) => covers(drawn, blocks, heights, { at, height })
  t.ok(sees(low, high - low))
  t.notOk(sees(low - 1, 100))
  t.notOk(sees(high - 100, 101))
  t.ok(covers({ below: 0, count: blocks.length, held: [] }, blocks, heights, { at: -50, height: total + 100 }))
})

t.test('an urgent update renders only the visible part', async t => {
  const now = drawnAt(blocks, heights, { at: 0, height }, { below: 0, count: 9, held: [] })
  const seen = { at: reach(now).high - height + 100, height }
  const next = drawnAt(blocks, heights, seen, now, 0)
  t.ok(covers(next, blocks, heights, seen))
  t.equal(next.below + next.count, now.below + now.count + 1, 'one block more')
  t.ok(drawnAt(blocks, heights, seen, next).count > next.count, 'the rest follows')
})

t.test('finds the block at a distance from the end', async t => {
  t.equal(blockAt(blocks, heights, 0), blocks.at(-1))
  const last = heightOf(blocks.at(-1) as Block, heights)
  t.equal(blockAt(blocks, heights, last), blocks.at(-1))
  t.equal(blockAt(blocks, heights, last + 1), blocks.at(-2))
  t.equal(blockAt(blocks, heights, total + 1), undefined)
})

t.test('the number of blocks fills a screen even if each message is one line', async t => {
  t.ok(blocksFilling(700) * 6 * 36 >= 700)
  t.ok((blocksFilling(700) - 1) * 6 * 36 < 700, 'and by no more')
  t.equal(blocksFilling(-20), 1)
})

t.test('heights of blocks never rendered are estimated', async t => {
  const drawn = drawnAt(blocks, new Map(), { at: 0, height }, { below: 0, count: 9, held: [] })
  t.equal(drawn.below, 0)
  t.ok(drawn.count >= 4)
  t.same(drawnAt([], new Map(), { at: 0, height }, { below: 0, count: 9, held: [] }).count, 0)
})

t.test('a message that is searched for is rendered with its surroundings', async t => {
  const drawn = drawnAround(blocks, 30, 9)
  const inPage = windowSegments(blocks, heights, drawn).flatMap(segment => ('block' in segment ? segment.block : []))
  t.ok(inPage.includes(blocks[30] as Block))
  t.equal(inPage.length, 9)
  t.equal(drawnAround(blocks, blocks.length - 1, 9).below, 0)
})

t.test('the page is as high as the whole thread; held blocks keep their place', async t => {
  const held = blocks[3] as Block
  const drawn: Drawn = { below: 20, count: 10, held: [held.key] }
  const segments = windowSegments(blocks, heights, drawn)
  const px = segments.map(segment => ('block' in segment ? heightOf(segment.block, heights) : segment.spacePx))
  t.equal(
    px.reduce((sum, one) => sum + one, 0),
    total,
  )
  t.equal(segments.length, 3 + 1 + 10)
  t.ok('block' in (segments[1] ?? {}), 'between two spaces')
  const keys = segments.map(segment => ('block' in segment ? segment.block.key : segment.key))
  t.equal(new Set(keys).size, keys.length, 'each has a name of its own')
})
