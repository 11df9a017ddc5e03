import t from 'tap'
import { GraphError } from '#server/whatsapp/serving/graph-error.ts'
import { validateMessage } from '#server/whatsapp/serving/validate-message.ts'

const facts = (message: object) => {
  try {
    return validateMessage(message as Record<string, unknown>)
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return error.facts
  }
}
const long = (count: number) => 'ñ'.repeat(count)
const interactive = (part: object) => ({ type: 'interactive', interactive: part })
const button = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const buttons = (...list: object[]) => interactive({ type: 'button', body: { text: 'x' }, action: { buttons: list } })
const list = (sections: object[], body = 'x') =>
  interactive({ type: 'list', body: { text: body }, action: { button: 'Ver', sections } })
const row = (id: string) => ({ id, title: 'uno' })
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, i) => row(`r${from + i}`))

t.test('what Meta allows is accepted, up to its limits', async t => {
  const fine: [string, object][] = [
    ['text', { text: { body: 'x' } }],
    [
      'text',
      {
        type: 'text',
        text: { body: long(4096), preview_url: true },
        context: { message_id: 'wamid.x' },
        biz_opaque_callback_data: 'x'.repeat(512),
      },
    ],
    ['image', { type: 'image', image: { link: 'https://x.y/a.png', caption: long(1024) } }],
    ['document', { type: 'document', document: { id: '1', filename: 'a.pdf', caption: '' } }],
    ['audio', { type: 'audio', audio: { id: '1', voice: true } }],
    ['sticker', { type: 'sticker', sticker: { id: '1' } }],
    ['video', { type: 'video', video: { id: '1' } }],
    ['location', { type: 'location', location: { latitude: '-34.6', longitude: -58.4, name: 'x' } }],
    [
      'contacts',
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Ana Paz', first_name: 'Ana' }, birthday: '1990-01-31' }],
      },
    ],
    ['reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍🏽' } }],
    ['reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '' } }],
    ['interactive', buttons(button('a', long(20)), button('b', 'B'), button('c', 'C'))],
    [
      'interactive',
      list(
        [
          { title: 'A', rows: rows(5) },
          { title: 'B', rows: rows(5, 5) },
        ],
        long(4096),
      ),
    ],
    [
      'interactive',
      interactive({
        type: 'cta_url',
        body: { text: 'x' },
        action: { name: 'cta_url', parameters: { display_text: 'Ver', url: 'https://x.y' } },
      }),
    ],
    [
      'interactive',
      interactive({ type: 'location_request_message', body: { text: 'x' }, action: { name: 'send_location' } }),
    ],
    [
      'interactive',
      interactive({ type: 'request_contact_info', body: { text: 'x' }, action: { name: 'request_contact_info' } }),
    ],
    [
      'interactive',
      interactive({
        type: 'flow',
        body: { text: 'x' },
        action: { name: 'flow', parameters: { flow_id: '1', flow_cta: 'Ir' } },
      }),
    ],
  ]
  for (const [type, message] of fine) t.equal(facts(message), type, JSON.stringify(message).slice(0, 80))
})

t.test('missing, wrong and too long values are refused by name', async t => {
  const refused: [number, RegExp, object][] = [
    [
      100,
      /Param type must be one of \{AUDIO, CONTACTS, DOCUMENT, IMAGE, INTERACTIVE, LOCATION, REACTION, STICKER, TEMPLATE, TEXT, VIDEO\} - got "poll"/,
      { type: 'poll' },
    ],
    [100, /got "7"/, { type: 7 }],
    [131008, /'text'/, {}],
    [131008, /'image'/, { type: 'image' }],
    [100, /text\['body'\] is required/, { text: {} }],
    [100, /text\['body'\] is required/, { text: { body: '' } }],
    [100, /text\['body'\] must be at most 4096/, { text: { body: long(4097) } }],
    [100, /biz_opaque_callback_data/, { text: { body: 'x' }, biz_opaque_callback_data: 'x'.repeat(513) }],
    [131008, /context\['message_id'\]/, { text: { body: 'x' }, context: {} }],
    [131008, /image\['id'\] or image\['link'\]/, { type: 'image', image: {} }],
    [131009, /Only one of/, { type: 'image', image: { id: '1', link: 'https://x.y' } }],
    [131009, /valid http or https URL/, { type: 'image', image: { link: 'ftp://x.y/a.png' } }],
    [
      131009,
      /Caption length invalid. Min length: 0, Max length: 1024/,
      { type: 'image', image: { id: '1', caption: long(1025) } },
    ],
    [100, /Unexpected key "caption" on param "audio"/, { type: 'audio', audio: { id: '1', caption: 'x' } }],
    [100, /Unexpected key "filename" on param "image"/, { type: 'image', image: { id: '1', filename: 'x' } }],
    [131008, /location\['longitude'\]/, { type: 'location', location: { latitude: 1 } }],
    [131009, /location\['latitude'\]/, { type: 'location', location: { latitude: 91, longitude: 1 } }],
    [131009, /contacts count. Min allowed contacts: 1, Max allowed contacts: 257/, { type: 'contacts', contacts: [] }],
    [131009, /besides formatted_name/, { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' } }] }],
    [
      131009,
      /birthday/,
      { type: 'contacts', contacts: [{ name: { formatted_name: 'A', first_name: 'A' }, birthday: '31/1/1990' }] },
    ],
    [131008, /reaction\['emoji'\]/, { type: 'reaction', reaction: { message_id: 'wamid.x' } }],
    [131009, /single emoji/, { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍👍' } }],
    [131009, /context/, { type: 'reaction', context: { message_id: 'x' }, reaction: { message_id: 'x', emoji: '👍' } }],
    [131009, /Button title length invalid. Min length: 1, Max length: 20/, buttons(button('a', long(21)))],
    [
      131009,
      /buttons count. Min allowed buttons: 1, Max allowed buttons: 3/,
      buttons(...rows(4).map(({ id }) => button(id, id))),
    ],
    [131009, /Duplicated button id/, buttons(button('a', 'A'), button('a', 'B'))],
    [131009, /Duplicated button title/, buttons(button('a', 'A'), button('b', 'A'))],
    [
      131009,
      /Body text length invalid. Min length: 1, Max length: 1024/,
      interactive({ type: 'button', body: { text: long(1025) }, action: { buttons: [button('a', 'A')] } }),
    ],
    [
      131009,
      /Footer text length invalid/,
      interactive({
        type: 'button',
        body: { text: 'x' },
        footer: { text: long(61) },
        action: { buttons: [button('a', 'A')] },
      }),
    ],
    [
      131009,
      /Header text length invalid/,
      interactive({
        type: 'button',
        header: { type: 'text', text: long(61) },
        body: { text: 'x' },
        action: { buttons: [button('a', 'A')] },
      }),
    ],
    [
      131009,
      /Total row count exceed max allowed count: 10/,
      list([
        { title: 'A', rows: rows(6) },
        { title: 'B', rows: rows(5, 6) },
      ]),
    ],
    [131008, /\[0\]\['title'\]/, list([{ rows: rows(1) }, { title: 'B', rows: rows(1, 1) }])],
    [131009, /Row title length invalid/, list([{ rows: [{ id: 'a', title: long(25) }] }])],
    [131009, /Row description length invalid/, list([{ rows: [{ id: 'a', title: 'x', description: long(73) }] }])],
    [131009, /Duplicated row id/, list([{ rows: [row('a'), row('a')] }])],
    [
      131009,
      /must not be an IP address/,
      interactive({
        type: 'cta_url',
        body: { text: 'x' },
        action: { name: 'cta_url', parameters: { display_text: 'Ver', url: 'https://10.0.0.1/' } },
      }),
    ],
    [100, /interactive\['type'\] must be one of/, interactive({ type: 'poll' })],
    [131008, /template\['language'\]/, { type: 'template', template: { name: 'promo' } }],
  ]
  for (const [code, words, message] of refused) {
    const said = facts(message)
    t.match(said, { code }, JSON.stringify(message).slice(0, 90))
    t.match(JSON.stringify(said).replaceAll('\\"', '"'), words)
  }
})
