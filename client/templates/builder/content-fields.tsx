import { useTranslation } from 'react-i18next'
import { buttonTypes, templateLimits as limits } from '#shared/templates/components.ts'
import { isMarketingCategory, parameterFormats } from '#shared/templates/words.ts'
import { ButtonFields } from './button-fields.tsx'
import { CarouselFields } from './carousel-fields.tsx'
import { CountedField } from './counted-field.tsx'
import { newCard, type TemplateForm } from './form.ts'
import { Options, Section } from './form-section.tsx'
import { withFormat } from './form-variables.ts'
import { HeaderFields } from './header-fields.tsx'
import { Examples, TextEditor } from './text-editor.tsx'

const messageButtons = buttonTypes.filter(type => type !== 'OTP')

interface ContentFieldsProps {
  readonly form: TemplateForm
  /** Meta does not allow changing the style of variables of a submitted template. */
  readonly isFormatFixed: boolean
  change(part: Partial<TemplateForm>): void
}

function Extras({ form, change }: Pick<ContentFieldsProps, 'form' | 'change'>) {
  const { t } = useTranslation('templates')
  const { offer, asksToCall, category } = form
  return (
    <Section title={t('form.extras')} hint={t('form.extrasHint')}>
      <label className="form-check">
        <input
          type="checkbox"
          checked={offer !== null}
          disabled={!isMarketingCategory(category) && offer === null}
          onChange={({ target }) => change({ offer: target.checked ? { text: '', expires: true } : null })}
        />
        {t('form.offer')}
      </label>
      {offer ? (
        <>
          <CountedField
            label={t('form.offerText')}
            field="LIMITED_TIME_OFFER.limited_time_offer.text"
            value={offer.text}
            max={limits.offerText}
            onChange={text => change({ offer: { ...offer, text } })}
          />
          <label className="form-check">
            <input
              type="checkbox"
              checked={offer.expires}
              onChange={({ target }) => change({ offer: { ...offer, expires: target.checked } })}
            />
            {t('form.offerExpires')}
          </label>
        </>
      ) : null}
      <label className="form-check">
        <input type="checkbox" checked={asksToCall} onChange={({ target }) => change({ asksToCall: target.checked })} />
        {t('form.asksToCall')}
      </label>
    </Section>
  )
}

function Body({ form, isFormatFixed, change }: ContentFieldsProps) {
  const { t } = useTranslation('templates')
  const max = form.offer && form.kind === 'MESSAGE' ? limits.offerBody : limits.body
  return (
    <Section title={t('form.body')} hint={t('form.bodyHint')}>
      <TextEditor
        label={t('form.bodyText')}
        field="BODY.text"
        value={form.body}
        max={max}
        format={form.format}
        onChange={body => change({ body })}
      />
      <Options
        label={t('form.variables')}
        className="template-segment form-radios"
        value={form.format}
        disabled={isFormatFixed}
        options={parameterFormats.map(value => ({ value, label: t(`form.${value}`) }))}
        onChoose={format => change(withFormat(form, format, t('form.variablePrefix')))}
      />
      <Examples
        text={form.body}
        format={form.format}
        examples={form.examples}
        fields={{ named: 'BODY.example.body_text_named_params', positional: 'BODY.example.body_text.0' }}
        onChange={examples => change({ examples })}
      />
    </Section>
  )
}

/** The message's content, except for one-time codes, whose text is Meta's. */
export function ContentFields(props: ContentFieldsProps) {
  const { t } = useTranslation('templates')
  const { form, change } = props
  const isCarousel = form.kind === 'CAROUSEL'
  return (
    <>
      <Section title={t('form.kind')} hint={t('form.kindHint')}>
        <Options
          label={t('form.kind')}
          className="template-segment form-radios"
          value={form.kind}
          options={[
            { value: 'MESSAGE', label: t('form.message') },
            { value: 'CAROUSEL', label: t('form.carousel') },
          ]}
          onChoose={kind =>
            change({ kind, ...(kind === 'CAROUSEL' && !form.cards.length ? { cards: [newCard(), newCard()] } : {}) })
          }
        />
      </Section>
      {isCarousel ? null : (
        <Section title={t('form.header')} hint={t('form.headerHint')}>
          <HeaderFields header={form.header} format={form.format} onChange={header => change({ header })} />
        </Section>
      )}
      <Body {...props} />
      {isCarousel ? (
        <Section title={t('form.cards')} hint={t('form.cardsHint', { min: limits.minCards, max: limits.maxCards })}>
          <CarouselFields form={form} change={change} />
        </Section>
      ) : (
        <>
          {form.offer ? null : (
            <Section title={t('form.footer')} hint={t('form.footerHint')}>
              <CountedField
                label={t('form.footerText')}
                field="FOOTER.text"
                value={form.footer}
                max={limits.footer}
                onChange={footer => change({ footer })}
              />
            </Section>
          )}
          <Section title={t('form.buttons')} hint={t('form.buttonsHint')}>
            <ButtonFields
              buttons={form.buttons}
              field="BUTTONS"
              types={messageButtons}
              max={limits.buttons}
              onChange={buttons => change({ buttons })}
            />
          </Section>
          <Extras form={form} change={change} />
        </>
      )}
    </>
  )
}
