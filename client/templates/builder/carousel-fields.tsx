import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { templateLimits as limits } from '#shared/templates/components.ts'
import { ButtonFields } from './button-fields.tsx'
import { GroupFault } from './counted-field.tsx'
import { FileField } from './file-field.tsx'
import { type CardForm, newCard, type TemplateForm } from './form.ts'
import { Options } from './form-section.tsx'
import { Examples, TextEditor } from './text-editor.tsx'

const cardButtons = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'SPM'] as const

interface CarouselFieldsProps {
  readonly form: TemplateForm
  change(part: Partial<TemplateForm>): void
}

/** The cards of a carousel. They share one media format, as Meta requires. */
export function CarouselFields({ form, change }: CarouselFieldsProps) {
  const { t } = useTranslation('templates')
  const { cards, format } = form
  const set = (i: number, part: Partial<CardForm>) =>
    change({ cards: cards.map((card, at) => (at === i ? { ...card, ...part } : card)) })
  return (
    <div className="form-cards">
      <Options
        label={t('form.cardFormat')}
        className="template-segment form-radios"
        value={cards[0]?.format ?? 'IMAGE'}
        options={[
          { value: 'IMAGE', label: t('header.IMAGE') },
          { value: 'VIDEO', label: t('header.VIDEO') },
        ]}
        onChoose={kind => change({ cards: cards.map(card => ({ ...card, format: kind, file: null })) })}
      />
      {cards.map((card, i) => {
        const field = `CAROUSEL.cards.${i}`
        return (
          <fieldset key={card.key} className="form-card">
            <legend>{t('form.cardNumber', { number: i + 1 })}</legend>
            <FileField
              label={t('form.file')}
              format={card.format}
              field={`${field}.HEADER.example.header_handle`}
              file={card.file}
              onChange={file => set(i, { file })}
            />
            <TextEditor
              label={t('form.cardBody')}
              field={`${field}.BODY.text`}
              value={card.body}
              max={limits.cardBody}
              format={format}
              rows={2}
              onChange={body => set(i, { body })}
            />
            <Examples
              text={card.body}
              format={format}
              examples={card.examples}
              fields={{
                named: `${field}.BODY.example.body_text_named_params`,
                positional: `${field}.BODY.example.body_text.0`,
              }}
              onChange={examples => set(i, { examples })}
            />
            <ButtonFields
              buttons={card.buttons}
              field={`${field}.BUTTONS`}
              types={cardButtons}
              max={limits.cardButtons}
              onChange={buttons => set(i, { buttons })}
            />
            <GroupFault field={`${field}.components`} />
            <button
              type="button"
              className="link"
              disabled={cards.length <= limits.minCards}
              onClick={() => change({ cards: cards.filter(one => one !== card) })}
            >
              <Icon name="trash" />
              {t('form.removeCard', { number: i + 1 })}
            </button>
          </fieldset>
        )
      })}
      <GroupFault field="CAROUSEL.cards" />
      {cards.length < limits.maxCards ? (
        <button type="button" className="button" onClick={() => change({ cards: [...cards, newCard(cards[0])] })}>
          <Icon name="plus" />
          {t('form.addCard')}
        </button>
      ) : null}
    </div>
  )
}
