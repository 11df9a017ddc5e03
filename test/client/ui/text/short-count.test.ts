import t from 'tap'
import { shortCount } from '#client/ui/text/short-count.ts'

t.test('counts beyond 999 are written shortly in the language of the reader', async t => {
  const plain = (text: string) => text.replace(/\s/g, ' ')
  t.equal(shortCount(0, 'es'), '0')
  t.equal(shortCount(100, 'es'), '100')
  t.equal(plain(shortCount(1284, 'es')), '1,3 mil')
  t.equal(shortCount(1284, 'en'), '1.3K')
  t.equal(plain(shortCount(2000, 'es', true)), '2 mil+')
  t.equal(plain(shortCount(12_345, 'es')), '12,3 mil')
})
