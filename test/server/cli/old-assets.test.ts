import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bringBackAssets, putAsideAssets } from '#server/cli/old-assets.mjs'

const day = 24 * 60 * 60_000

/** A folder that is emptied and filled by builds, as Vite does. */
const stage = (t: Test) => {
  const folder = t.testdir({})
  const folders = {
    assets: join(folder, 'client/assets'),
    aside: join(folder, 'aside'),
    record: join(folder, 'record.json'),
  }
  const fill = (names: string[], bytes: number) => {
    rmSync(folders.assets, { recursive: true, force: true })
    mkdirSync(folders.assets, { recursive: true })
    for (const name of names) writeFileSync(join(folders.assets, name), 'x'.repeat(bytes))
  }
  const build = (now: number, names: string[], limits: { maxBytes?: number; bytes?: number } = {}) => {
    putAsideAssets(folders)
    fill(names, limits.bytes ?? 1)
    bringBackAssets({ ...folders, now, ...limits })
  }
  return { folders, fill, build, there: () => readdirSync(folders.assets).sort() }
}

t.test('an open tab still finds its scripts after an upgrade, for a week', async t => {
  const { build, there } = stage(t)
  build(0, ['same.js', 'page-a.js'])
  build(30 * day, ['same.js', 'page-b.js'])
  t.same(there(), ['page-a.js', 'page-b.js', 'same.js'], 'however old it was, it was in use until now')
  build(36 * day, ['same.js', 'page-c.js'])
  t.same(there(), ['page-a.js', 'page-b.js', 'page-c.js', 'same.js'])
  build(38 * day, ['same.js', 'page-d.js'])
  t.same(there(), ['page-b.js', 'page-c.js', 'page-d.js', 'same.js'])
})

t.test('an asset that a new build contains again is no longer marked as old', async t => {
  const { build, there } = stage(t)
  build(0, ['a.js'])
  build(1 * day, ['b.js'])
  build(5 * day, ['a.js'])
  build(13 * day, ['c.js'])
  t.same(there(), ['a.js', 'c.js'], 'it was in use until now, whenever it was replaced before')
})

t.test('many builds in a week do not fill the disk: the latest stay', async t => {
  const { build, there } = stage(t)
  for (let i = 0; i < 6; i += 1) build(i, [`p${i}.js`], { bytes: 10, maxBytes: 25 })
  t.same(there(), ['p3.js', 'p4.js', 'p5.js'])
})

t.test('a build that was cut off loses nothing', async t => {
  const { folders, build, there } = stage(t)
  build(0, ['a.js'])
  putAsideAssets(folders)
  build(1, ['b.js'])
  t.same(there(), ['a.js', 'b.js'])
})
