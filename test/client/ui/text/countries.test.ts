import { getCountries } from 'libphonenumber-js/max'
import t from 'tap'
import { phoneCountries } from '#client/ui/text/countries.ts'

t.test('the selectable countries are those whose numbers can be parsed', async t => {
  t.same([...phoneCountries].sort(), getCountries().sort())
})
