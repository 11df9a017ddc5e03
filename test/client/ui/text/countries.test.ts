import { getCountries } from 'libphonenumber-js/max'
import t from 'tap'
import { phoneCountries } from '#client/ui/text/countries.ts'

t.test('the countries one can choose are those whose numbers can be read', async t => {
  t.same([...phoneCountries].sort(), getCountries().sort())
})
