/** Every mail of the product, in every language and variant. */
import t from 'tap'
import * as letters from '#server/identity/mail/letters.ts'
import type { Letter } from '#server/platform/mail/mail.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import { languages } from '#shared/kernel/language.ts'
import { i18n } from '#test/helpers/i18n.ts'

const to = 'ana@example.com'
const code = '123456'
const site = 'https://recado.example'

/** The mails of each function, with what they must contain. */
const written: Readonly<Record<string, (t: Translate) => [Letter, string[]][]>> = {
  codeLetter: t =>
    (['signIn', 'secondStep', 'change'] as const).map(use => [
      letters.codeLetter(t, { to, use, code, minutes: 10 }),
      [code, '10'],
    ]),
  emailCodeLetter: t =>
    (['old', 'new'] as const).map(end => [
      letters.emailCodeLetter(t, { to, end, other: 'otra@example.com', code, minutes: 10 }),
      [code, 'otra@example.com', '10'],
    ]),
  domainLetter: t => [
    [
      letters.domainLetter(t, { to, domain: 'trigal.example', org: 'Trigal', by: 'Rocío', code, hours: 24 }),
      [code, 'trigal.example', 'Trigal', 'Rocío', '24'],
    ],
  ],
  credentialLetter: t =>
    letters.credentialChanges.flatMap(what =>
      ['Firefox, Linux', ''].map((device): [Letter, string[]] => [
        letters.credentialLetter(t, { to, what, device, org: 'Trigal' }),
        [device, what.startsWith('sso') ? 'Trigal' : ''],
      ]),
    ),
  snapshotLetter: t =>
    ['damaged', 'noRoom', 'failed'].flatMap(failure =>
      [null, '2026-11-28'].map((lastGood): [Letter, string[]] => [
        letters.snapshotLetter([t], { to, failure, lastGood, site }),
        [site, lastGood ?? ''],
      ]),
    ),
  ownerLetter: t =>
    letters.ownerNews.map(what => [
      letters.ownerLetter(t, { to, what, org: 'Trigal', by: 'Rocío', detail: '2026-12-05T10:00:00.000Z', site }),
      ['Trigal', 'Rocío', site],
    ]),
  invitationLetter: t => [
    [
      letters.invitationLetter(t, { to, org: 'Trigal', inviter: 'Rocío', link: `${site}/i`, days: 7 }),
      ['Trigal', 'Rocío', `${site}/i`, '7'],
    ],
  ],
  deletionLetter: t => [[letters.deletionLetter(t, { to, link: `${site}/d`, hours: 24 }), [`${site}/d`, '24']]],
}

t.test('every function that writes a mail is tested here', async t => {
  const all = Object.keys(letters).filter(name => name.endsWith('Letter'))
  t.same(Object.keys(written).toSorted(), all.toSorted())
})

for (const language of languages)
  for (const [name, write] of Object.entries(written))
    t.test(`${name} in ${language} has all its words, and no gap`, async t => {
      for (const [letter, wanted] of write(i18n.translator(language))) {
        for (const part of [letter.subject, letter.text, letter.html ?? '']) {
          t.not(part.trim(), '')
          t.notMatch(part, /\{\{|\}\}|undefined|\[object|\bmail:\w|NaN/, part)
        }
        for (const word of wanted) {
          t.ok(letter.text.includes(word), `${word} in: ${letter.text}`)
          t.ok(letter.html?.includes(word), `${word} in: ${letter.html}`)
        }
      }
    })
