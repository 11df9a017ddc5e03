import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { templateLimits as limits } from '#shared/templates/components.ts'
import { templateLanguages } from '#shared/templates/languages.ts'
import { templateCategories } from '#shared/templates/words.ts'
import { useLanguageName } from '../words.tsx'
import { CountedField, GroupFault } from './counted-field.tsx'
import { useFault } from './faults.tsx'
import type { TemplateForm } from './form.ts'
import { Options, Section } from './form-section.tsx'
import { typedName } from './typed-name.ts'

interface IdentityFieldsProps {
  readonly form: TemplateForm
  readonly isNameFixed: boolean
  readonly isLanguageFixed: boolean
  readonly isCategoryFixed: boolean
  /** Languages the name already has. */
  readonly taken: readonly string[]
  change(part: Partial<TemplateForm>): void
}

/** Common languages, shown first. */
const usual = ['es_AR', 'es', 'es_MX', 'es_ES', 'en', 'en_US', 'pt_BR']

function LanguageField({
  form,
  isLanguageFixed,
  taken,
  change,
}: Pick<IdentityFieldsProps, 'form' | 'isLanguageFixed' | 'taken' | 'change'>) {
  const { t } = useTranslation('templates')
  const id = useId()
  const name = useLanguageName()
  const fault = useFault('language')
  const option = (code: string) => (
    <option key={code} value={code} disabled={taken.includes(code)} suppressHydrationWarning dir="auto">
      {name(code)} ({code})
    </option>
  )
  return (
    <div className="field">
      <label htmlFor={id}>{t('language')}</label>
      <select
        id={id}
        data-field="language"
        value={form.language}
        disabled={isLanguageFixed}
        aria-invalid={Boolean(fault)}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={({ target }) => change({ language: target.value })}
      >
        {form.language ? null : <option value="">{t('form.chooseLanguage')}</option>}
        <optgroup label={t('form.usualLanguages')}>{usual.map(option)}</optgroup>
        <optgroup label={t('form.allLanguages')}>
          {templateLanguages.filter(code => !usual.includes(code)).map(option)}
        </optgroup>
      </select>
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
}

/** Name, language and category. */
export function IdentityFields(props: IdentityFieldsProps) {
  const { t } = useTranslation('templates')
  const { form, isNameFixed, isCategoryFixed, change } = props
  return (
    <>
      <Section title={t('form.identity')} hint={t('form.identityHint')}>
        <CountedField
          label={t('form.name')}
          field="name"
          value={form.name}
          max={limits.name}
          isCode
          readOnly={isNameFixed}
          hint={t('form.nameHint')}
          onChange={name => change({ name: typedName(name) })}
        />
        <LanguageField {...props} />
      </Section>
      <Section title={t('category.label')} hint={t('form.categoryHint')}>
        <Options
          label={t('category.label')}
          className="template-choices"
          value={form.category}
          disabled={isCategoryFixed}
          options={templateCategories.map(value => ({
            value,
            label: t(`category.${value}`),
            hint: t(`category.hint.${value}`),
          }))}
          onChoose={category => change({ category })}
        />
        {isCategoryFixed ? <p className="field-hint">{t('form.categoryFixed')}</p> : null}
        <GroupFault field="category" />
      </Section>
    </>
  )
}
