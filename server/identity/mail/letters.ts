import { asWords } from '#server/platform/mail/as-words.ts'
import type { Letter } from '#server/platform/mail/mail.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const page = (blocks: readonly string[]): string =>
  `<!doctype html><html><body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1b1b">${blocks.join(
    '',
  )}</body></html>`

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escaped(text)}</p>`

const digits = (code: string): string =>
  `<p style="margin:0 0 16px;font-size:32px;font-weight:600;letter-spacing:4px">${escaped(code)}</p>`

/** A letter with a code, which stands alone on its line in the plain part. */
const letterWithCode = (
  to: string,
  { subject, intro, code, expires, ignore }: Record<'subject' | 'intro' | 'code' | 'expires' | 'ignore', string>,
): Letter => ({
  to,
  subject,
  text: `${intro}\n\n${code}\n\n${expires}\n${ignore}\n`,
  html: page([paragraph(intro), digits(code), paragraph(expires), paragraph(ignore)]),
})

const codeTexts = {
  signIn: { subject: 'mail:code.subject', intro: 'mail:code.intro', ignore: 'mail:code.ignore' },
  /** Finishes a sign-in by password. */
  secondStep: { subject: 'mail:code.subject', intro: 'mail:secondStep.intro', ignore: 'mail:secondStep.ignore' },
  /** Proves who changes a credential. */
  change: { subject: 'mail:changeCode.subject', intro: 'mail:changeCode.intro', ignore: 'mail:changeCode.ignore' },
} as const
/** The purpose of a mailed code. */
export type CodeUse = keyof typeof codeTexts

/** A code of a person, for one use. */
export function codeLetter(
  t: Translate,
  { to, use, code, minutes }: { to: string; use: CodeUse; code: string; minutes: number },
): Letter {
  const product = PRODUCT_NAME
  const { subject, intro, ignore } = codeTexts[use]
  return letterWithCode(to, {
    subject: t(subject, { product }),
    intro: t(intro, { product }),
    code,
    expires: t('mail:code.expires', { minutes }),
    ignore: t(ignore),
  })
}

/** The code that proves one end of a change of address. */
export function emailCodeLetter(
  t: Translate,
  { to, end, other, code, minutes }: { to: string; end: 'old' | 'new'; other: string; code: string; minutes: number },
): Letter {
  const product = PRODUCT_NAME
  return letterWithCode(to, {
    subject: t('mail:emailCode.subject', { product }),
    intro: t(`mail:emailCode.${end}`, { product, other }),
    code,
    expires: t('mail:code.expires', { minutes }),
    ignore: t(`mail:emailCode.${end}Ignore`),
  })
}

/** Asks who administers a domain whether it is an organization's; in the plain part the code stands alone on its line. */
export function domainLetter(
  t: Translate,
  { to, domain, ...facts }: { to: string; domain: string; org: string; by: string; code: string; hours: number },
): Letter {
  const product = PRODUCT_NAME
  const by = asWords(facts.by)
  const intro = t('mail:domain.intro', { product, domain, org: asWords(facts.org), by })
  const means = t('mail:domain.means', { domain, by })
  const expires = t('mail:domain.expires', { hours: facts.hours })
  const ignore = t('mail:domain.ignore')
  return {
    to,
    subject: t('mail:domain.subject', { product, domain }),
    text: `${intro}\n${means}\n\n${facts.code}\n\n${expires}\n${ignore}\n`,
    html: page([paragraph(intro), paragraph(means), digits(facts.code), paragraph(expires), paragraph(ignore)]),
  }
}

/** The changes to a person's sign-in. */
export const credentialChanges = [
  'added',
  'password',
  'username',
  'removed',
  'secondFactorOn',
  'secondFactorReplaced',
  'secondFactorOff',
  'backupCodes',
  'backupCodeUsed',
  'deviceTrusted',
  'emailChanged',
  'ssoLinked',
  'ssoCreated',
] as const
export type CredentialChange = (typeof credentialChanges)[number]
/** The changes that a person makes themself, in their account. */
export type OwnCredentialChange = Exclude<CredentialChange, 'ssoLinked' | 'ssoCreated'>

/**
 * Tells a person what of their way in has changed. `device`: as the browser says of itself; empty: it does not. `org`:
 * the name of the organization whose identity provider it is about.
 */
export function credentialLetter(
  t: Translate,
  { to, what, device, ...facts }: { to: string; what: CredentialChange; device: string; org?: string },
): Letter {
  const product = PRODUCT_NAME
  const isByProvider = what === 'ssoLinked' || what === 'ssoCreated'
  const intro = t(`mail:credential.${what}`, { product, org: asWords(facts.org ?? '') })
  const where = device ? t('mail:credential.device', { device }) : t('mail:credential.noDevice')
  const ignore = isByProvider ? t('mail:credential.notYourProvider', { product }) : t('mail:credential.notYou')
  return {
    to,
    subject: t('mail:credential.subject', { product }),
    text: `${intro}\n${where}\n\n${ignore}\n`,
    html: page([paragraph(intro), paragraph(where), paragraph(ignore)]),
  }
}

/** Tells who administers the site that the nightly backup cannot be relied on; in every language, as nobody asked. */
export function snapshotLetter(
  translators: readonly Translate[],
  { to, failure, lastGood, site }: { to: string; failure: string; lastGood: string | null; site: string },
): Letter {
  const product = PRODUCT_NAME
  const said = translators.map(t => [
    t(`mail:snapshot.${failure}`, { product, site }),
    lastGood === null ? t('mail:snapshot.noneGood') : t('mail:snapshot.lastGood', { when: lastGood }),
    t('mail:snapshot.look'),
  ])
  const [first] = translators
  return {
    to,
    subject: first ? first('mail:snapshot.subject', { product }) : product,
    text: said.map(lines => lines.join('\n')).join('\n\n—\n\n'),
    html: page(said.flat().map(paragraph)),
  }
}

/** The events of an organization that its owners get by mail. */
export const ownerNews = ['slugChanged', 'transferred', 'deletionRequested', 'deletionUndone'] as const
export type OwnerNews = (typeof ownerNews)[number]

/** Tells an owner what became of an organization. `detail`: its new address, its new owner, or ISO time of its end. */
export function ownerLetter(
  t: Translate,
  facts: { to: string; what: OwnerNews; org: string; by: string; detail: string; site: string },
): Letter {
  const product = PRODUCT_NAME
  const org = asWords(facts.org)
  const detail =
    facts.what === 'deletionRequested' ? `${facts.detail.slice(0, 16).replace('T', ' ')} UTC` : facts.detail
  const said = facts.what === 'slugChanged' ? detail : asWords(detail)
  const intro = t(`mail:owner.${facts.what}`, { product, org, by: asWords(facts.by), detail: said })
  const site = t('mail:owner.site', { product })
  return {
    to: facts.to,
    subject: t('mail:owner.subject', { product, org }),
    text: `${intro}\n\n${site}\n${facts.site}\n`,
    html: page([paragraph(intro), paragraph(`${site} ${facts.site}`)]),
  }
}

/** An invitation to an organization; `link` opens it. */
export function invitationLetter(
  t: Translate,
  facts: { to: string; org: string; inviter: string; link: string; days: number },
): Letter {
  const product = PRODUCT_NAME
  const org = asWords(facts.org)
  const intro = t('mail:invitation.intro', { product, org, inviter: asWords(facts.inviter) })
  const expires = t('mail:invitation.expires', { days: facts.days })
  const ignore = t('mail:invitation.ignore')
  return {
    to: facts.to,
    subject: t('mail:invitation.subject', { product, org }),
    text: `${intro}\n\n${facts.link}\n\n${expires}\n${ignore}\n`,
    html: page([
      paragraph(intro),
      `<p style="margin:0 0 16px"><a href="${escaped(facts.link)}">${escaped(t('mail:invitation.open'))}</a></p>`,
      paragraph(expires),
      paragraph(ignore),
    ]),
  }
}

/** The question whether an account shall be deleted; `link` does it, in a browser that is signed in. */
export function deletionLetter(t: Translate, facts: { to: string; link: string; hours: number }): Letter {
  const product = PRODUCT_NAME
  const intro = t('mail:deletion.intro', { product })
  const expires = t('mail:deletion.expires', { hours: facts.hours })
  const ignore = t('mail:deletion.ignore')
  return {
    to: facts.to,
    subject: t('mail:deletion.subject', { product }),
    text: `${intro}\n\n${facts.link}\n\n${expires}\n${ignore}\n`,
    html: page([
      paragraph(intro),
      `<p style="margin:0 0 16px"><a href="${escaped(facts.link)}">${escaped(t('mail:deletion.open'))}</a></p>`,
      paragraph(expires),
      paragraph(ignore),
    ]),
  }
}
