import t from 'tap'
import { careOf, usualCare, withCanary } from '#client/bulk-sends/create/plan/care.ts'

const canaryOf = (people: string, planned: number) =>
  careOf({ ...usualCare, hasCanary: true, people }, planned)?.canary?.people

t.test('the canary must be smaller than the number of recipients', async t => {
  t.equal(canaryOf('50', 3), undefined)
  t.equal(canaryOf('3', 3), undefined)
  t.equal(canaryOf('2', 3), 2)
  t.equal(canaryOf('50', 51), 50)
  t.equal(careOf({ ...usualCare, hasCanary: true }, 1)?.canary, null, 'one person alone has nobody before')
})

t.test('the suggested canary size is a small part of the recipients', async t => {
  const offered = (planned: number, people = usualCare.people) =>
    withCanary({ ...usualCare, people }, true, planned).people
  t.equal(offered(5000), '50')
  t.equal(offered(51), '50')
  t.equal(offered(50), '5')
  t.equal(offered(3), '1')
  t.equal(offered(3, '2'), '2', 'what was typed and fits stays')
})
