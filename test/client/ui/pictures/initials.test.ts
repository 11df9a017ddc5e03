import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { initialsOf } from '#client/ui/pictures/initials.ts'
import { root } from '#test/helpers/sources.ts'

t.test('initials are letters, without the characters around them', async t => {
  t.equal(initialsOf('Ñandú & Cía "Panadería"'), 'ÑP')
  t.equal(initialsOf('Rosa <b>'), 'RB')
  t.equal(initialsOf('(Ventas) Sur'), 'VS')
  t.equal(initialsOf('+54 9 11 5555 0100'), '00')
})

t.test('every avatar takes its initials from one function', async t => {
  const files = readdirSync(join(root, 'client'), { recursive: true, encoding: 'utf8' })
  const makers = files.filter(
    file => /\.tsx?$/.test(file) && /const initialsOf\b/.test(readFileSync(join(root, 'client', file), 'utf8')),
  )
  t.same(makers, ['ui/pictures/initials.ts'])
})
