import t from 'tap'
import { requireCatalogue } from '#server/messaging/sending/catalogue.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { SendMessage } from '#shared/inbox/send-message.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, lucia } from '#test/helpers/items.ts'

const read = readerOf('body', SendMessage) as (body: unknown) => SendMessage
const product = { catalogId: '194836987003835', productRetailerId: 'AZUL-42' }
const body = (more: object = {}) =>
  read({
    ...{ type: 'actionRecado', action: 'product', labelRecado: 'Ver', data: product },
    ...{ numberTel: lucia.waId, ...more },
  })

t.test('a product is sent if its catalogue is linked or WhatsApp does not say', async t => {
  const stage = await anInbox()
  const connectionId = await stage.connect()
  await stage.apply(aMessage())
  const asked: [string, string][] = []
  const answering = (ids: readonly string[] | undefined) => async (orgId: string, connection: string) => {
    asked.push([orgId, connection])
    return ids
  }
  const require = (ids: readonly string[] | undefined, more: object = {}) =>
    requireCatalogue(stage.databases.read, stage.ana.member, body(more), answering(ids))
  await require(['1', product.catalogId])
  await require(undefined)
  await t.rejects(require([]), { code: 'INBOX_NO_CATALOGUE', status: 409 })
  await t.rejects(require(['1']), { code: 'APP_VALIDATION', fields: ['body.data.catalogId'] })
  t.same(asked, Array(4).fill([stage.orgId, connectionId]))
  await require([], { action: 'confirm', data: { key: 'turno' } })
  t.equal(asked.length, 4, 'nothing else is asked about')

  const sent = await stage.inbox.sendMessage(stage.ana.member, { body: body() })
  t.strictSame(sent.interactive, { product })
  t.equal(sent.text, 'Ver')
})
