import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import {
  type CarouselCard,
  findComponent,
  type HeaderComponent,
  type TemplateButton,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import { examplesOf } from './example-values.ts'
import { Mark, type MarkName } from './mark.tsx'
import { WaText } from './wa-text.tsx'

/** A header's file that can be shown. */
export interface ShownFile {
  /** Index in a carousel. Null: the message's own header. */
  readonly card: number | null
  readonly url: string
  readonly mime: string
  readonly name: string | null
}

export interface Drawn {
  readonly components: readonly TemplateComponent[]
  readonly language: string
  readonly files: readonly ShownFile[]
  /** Shows examples instead of variable names. */
  readonly withExamples: boolean
}

/** WhatsApp hides further buttons behind "see all". */
const buttonsShown = 3

const icons: Readonly<Record<string, IconName | undefined>> = {
  QUICK_REPLY: 'reply',
  COPY_CODE: 'copy',
  OTP: 'copy',
  FLOW: 'form',
  CATALOG: 'cart',
  MPM: 'cart',
  SPM: 'cart',
  ORDER_DETAILS: 'cart',
  REQUEST_CONTACT_INFO: 'card',
}
const marks: Readonly<Record<string, MarkName | undefined>> = {
  URL: 'external',
  PHONE_NUMBER: 'call',
  VOICE_CALL: 'call',
}

/** Meta's own texts in the template's language; otherwise English. */
const codeTexts: Readonly<
  Record<string, { text: string; safe: string; expires: (minutes: number) => string; copy: string; fill: string }>
> = {
  es: {
    text: '*{{1}}* es tu código de verificación.',
    safe: 'Por tu seguridad, no lo compartas.',
    expires: minutes => `Este código caduca en ${minutes} minutos.`,
    copy: 'Copiar código',
    fill: 'Autocompletar',
  },
  pt: {
    text: '*{{1}}* é o seu código de verificação.',
    safe: 'Para sua segurança, não o compartilhe.',
    expires: minutes => `Este código expira em ${minutes} minutos.`,
    copy: 'Copiar código',
    fill: 'Preencher automaticamente',
  },
  en: {
    text: '*{{1}}* is your verification code.',
    safe: 'For your security, do not share this code.',
    expires: minutes => `This code expires in ${minutes} minutes.`,
    copy: 'Copy code',
    fill: 'Autofill',
  },
}
const codeTextsIn = (language: string) => {
  const found = codeTexts[language.slice(0, 2)] ?? codeTexts.en
  return found as NonNullable<typeof found>
}
const sampleCode = { 1: '482913' }

const labelOf = (button: TemplateButton, language: string): string => {
  if ('text' in button && button.text) return button.text
  const words = codeTextsIn(language)
  if (button.type === 'OTP') return button.otp_type === 'COPY_CODE' ? words.copy : words.fill
  return button.type === 'COPY_CODE' ? words.copy : ''
}

function Buttons({ buttons, language }: { buttons: readonly TemplateButton[]; language: string }) {
  const { t } = useTranslation('templates')
  const shown = buttons.length > buttonsShown ? buttons.slice(0, buttonsShown - 1) : buttons
  return (
    <ul className="wa-buttons">
      {shown.map((button, i) => {
        const mark = marks[button.type]
        const label = labelOf(button, language)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
          <li key={i}>
            {mark ? <Mark name={mark} /> : <Icon name={icons[button.type] ?? 'reply'} />}
            <span className={label ? 'cut' : 'cut wa-missing'} dir="auto">
              {label || t('preview.button')}
            </span>
          </li>
        )
      })}
      {shown.length < buttons.length ? (
        <li>
          <Icon name="menu" />
          <span>{t('preview.allButtons')}</span>
        </li>
      ) : null}
    </ul>
  )
}

function Media({ format, file }: { format: string; file: ShownFile | undefined }) {
  const { t } = useTranslation('templates')
  if (format === 'LOCATION')
    return (
      <div className="wa-tile wa-place">
        <Icon name="pin" />
        <span>{t('preview.location')}</span>
      </div>
    )
  if (format === 'DOCUMENT')
    return (
      <div className="wa-file line">
        <Icon name="file" />
        <span className="cut" dir="auto">
          {file?.name ?? t('preview.document')}
        </span>
      </div>
    )
  if (file?.mime.startsWith('image/')) return <img className="wa-tile" src={file.url} alt="" />
  if (file?.mime.startsWith('video/'))
    return (
      <div className="wa-film">
        <video className="wa-tile" src={file.url} preload="metadata" muted playsInline tabIndex={-1} />
        <Mark name="play" />
      </div>
    )
  return (
    <div className="wa-tile">
      <Icon name={format === 'VIDEO' ? 'video' : 'image'} />
    </div>
  )
}

function Header({ header, card, drawn }: { header: HeaderComponent; card: number | null; drawn: Drawn }) {
  if (header.format !== 'TEXT')
    return (
      <div className="wa-media">
        <Media format={header.format} file={drawn.files.find(one => one.card === card)} />
      </div>
    )
  if (!header.text) return null
  const values = drawn.withExamples ? examplesOf(header.text, header.example) : undefined
  return (
    <p className="wa-title" dir="auto">
      <WaText text={header.text} values={values} />
    </p>
  )
}

function Body({
  components,
  drawn,
  isCode,
}: {
  components: readonly TemplateComponent[]
  drawn: Drawn
  isCode: boolean
}) {
  const { t } = useTranslation('templates')
  const body = findComponent(components, 'BODY')
  const words = codeTextsIn(drawn.language)
  if (isCode)
    return (
      <p className="wa-body" dir="auto">
        <WaText text={words.text} values={drawn.withExamples ? sampleCode : undefined} />
        {body?.add_security_recommendation ? ` ${words.safe}` : ''}
      </p>
    )
  if (!body) return null
  if (!body.text?.trim()) return <p className="wa-body wa-missing">{t('preview.empty')}</p>
  return (
    <p className="wa-body" dir="auto">
      <WaText text={body.text} values={drawn.withExamples ? examplesOf(body.text, body.example) : undefined} />
    </p>
  )
}

function Card({ card, at, drawn }: { card: CarouselCard; at: number; drawn: Drawn }) {
  const header = findComponent(card.components, 'HEADER')
  const buttons = findComponent(card.components, 'BUTTONS')?.buttons ?? []
  return (
    <li className="wa-bubble wa-card column">
      {header ? <Header header={header} card={at} drawn={drawn} /> : null}
      <Body components={card.components} drawn={drawn} isCode={false} />
      <Buttons buttons={buttons} language={drawn.language} />
    </li>
  )
}

/** A template's message as it looks on the customer's phone. */
export function WaMessage({ drawn, isCode }: { drawn: Drawn; isCode: boolean }) {
  const { t } = useTranslation('templates')
  const { components, language } = drawn
  const header = findComponent(components, 'HEADER')
  const footer = findComponent(components, 'FOOTER')
  const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
  const cards = findComponent(components, 'CAROUSEL')?.cards ?? []
  const offer = findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer
  const expires = footer?.code_expiration_minutes
  const footText = footer?.text ?? (expires ? codeTextsIn(language).expires(expires) : undefined)
  return (
    <>
      <div className="wa-bubble wa-message">
        {header ? <Header header={header} card={null} drawn={drawn} /> : null}
        {offer ? (
          <div className="wa-offer line">
            <Mark name="gift" />
            <div>
              <strong dir="auto">{offer.text || t('preview.offer')}</strong>
              {offer.has_expiration ? <small>{t('preview.offerEnds')}</small> : null}
            </div>
          </div>
        ) : null}
        <Body components={components} drawn={drawn} isCode={isCode} />
        {footText ? (
          <p className="wa-foot" dir="auto">
            {footText}
          </p>
        ) : null}
        <p className="wa-time">11:00</p>
        {buttons.length ? <Buttons buttons={buttons} language={language} /> : null}
      </div>
      {cards.length ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ul className="wa-cards" tabIndex={0} aria-label={t('preview.cards')}>
          {cards.map((card, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
            <Card key={i} card={card} at={i} drawn={drawn} />
          ))}
        </ul>
      ) : null}
    </>
  )
}
