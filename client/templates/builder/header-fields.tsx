import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import {
  headerFormats,
  templateLimits as limits,
  type MediaFormat,
  mediaFormats,
} from '#shared/templates/components.ts'
import { variableNames } from '#shared/templates/variables.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import { Mark } from '../mark.tsx'
import { CountedField } from './counted-field.tsx'
import { FileField } from './file-field.tsx'
import type { HeaderForm } from './form.ts'
import { Options } from './form-section.tsx'
import { nextVariable } from './form-variables.ts'
import { Examples } from './text-editor.tsx'

interface HeaderFieldsProps {
  readonly header: HeaderForm
  readonly format: ParameterFormat
  onChange(header: HeaderForm): void
}

const icons = {
  NONE: <Mark name="ban" />,
  TEXT: <Mark name="title" />,
  IMAGE: <Icon name="image" />,
  VIDEO: <Icon name="video" />,
  DOCUMENT: <Icon name="file" />,
  LOCATION: <Icon name="pin" />,
}
const isMedia = (kind: string): kind is MediaFormat => (mediaFormats as readonly string[]).includes(kind)

/** The header's type and its values. */
export function HeaderFields({ header, format, onChange }: HeaderFieldsProps) {
  const { t } = useTranslation('templates')
  const { kind, text, examples, file } = header
  return (
    <>
      <Options
        label={t('form.header')}
        className="form-kinds stack-m"
        value={kind}
        options={(['NONE', ...headerFormats] as const).map(value => ({
          value,
          label: t(`header.${value}`),
          icon: icons[value],
        }))}
        onChoose={next => onChange({ ...header, kind: next, file: null })}
      />
      {kind === 'TEXT' ? (
        <>
          <CountedField
            label={t('form.headerText')}
            field="HEADER.text"
            value={text}
            max={limits.headerText}
            suffix={
              variableNames(text).length ? null : (
                <button
                  type="button"
                  className="link"
                  onClick={() =>
                    onChange({ ...header, text: `${text}{{${nextVariable(text, format, t('form.variablePrefix'))}}}` })
                  }
                >
                  <Icon name="plus" />
                  {t('form.variable')}
                </button>
              )
            }
            onChange={next => onChange({ ...header, text: next })}
          />
          <Examples
            text={text}
            format={format}
            examples={examples}
            fields={{ named: 'HEADER.example.header_text_named_params', positional: 'HEADER.example.header_text' }}
            onChange={next => onChange({ ...header, examples: next })}
          />
        </>
      ) : null}
      {isMedia(kind) ? (
        <FileField
          key={kind}
          label={t('form.file')}
          format={kind}
          field="HEADER.example.header_handle"
          file={file}
          onChange={next => onChange({ ...header, file: next })}
        />
      ) : null}
      {kind === 'LOCATION' ? <p className="field-hint">{t('form.locationHint')}</p> : null}
    </>
  )
}
