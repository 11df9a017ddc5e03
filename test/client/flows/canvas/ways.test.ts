import t from 'tap'
import { laneOf, lanePath } from '#client/flows/canvas/ways.ts'

const box = (left: number, top: number) => ({ left, top, right: left + 280, bottom: top + 120 })

t.test('an edge takes the direct way where no step is on it', async t => {
  const others = [box(0, 0), box(400, 0), box(400, 400)]
  t.equal(laneOf({ x: 280, y: 60 }, { x: 400, y: 60 }, others), undefined)
  t.equal(laneOf({ x: 280, y: 60 }, { x: 400, y: 460 }, others), undefined)
})

t.test('an edge goes around a step between its ends, and back over the shorter side', async t => {
  const others = [box(0, 0), box(400, 0), box(800, 0)]
  const around = laneOf({ x: 280, y: 60 }, { x: 800, y: 80 }, others)
  t.ok(around !== undefined && (around < 0 || around > 120))
  const below = laneOf({ x: 280, y: 100 }, { x: 0, y: 360 }, [box(0, 0), box(0, 300)])
  t.ok(below !== undefined && below > 120 && below < 300, 'between the rows')
})

t.test('a path begins and ends at its handles', async t => {
  const path = lanePath({ x: 280, y: 100 }, { x: 0, y: 360 }, 140)
  t.match(path, /^M280,100L/)
  t.match(path, /L0,360$/)
  t.notMatch(path, /NaN/)
})
