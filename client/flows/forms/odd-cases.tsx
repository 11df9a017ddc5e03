import { useTranslation } from 'react-i18next'
import { variableMaxChars } from '#shared/flows/variables.ts'

const cases = [
  'late',
  'files',
  'twice',
  'changed',
  'loops',
  'template',
  'colleague',
  'contact',
  'clock',
  'texts',
] as const

/** Explains what happens to customers if something has changed since the flow was drawn. */
export function OddCases() {
  const { t } = useTranslation('flows')
  return (
    <details className="flow-odd">
      <summary>{t('odd.title')}</summary>
      <dl>
        {cases.map(one => (
          <div key={one}>
            <dt>{t(`odd.${one}.what`)}</dt>
            <dd>{t(`odd.${one}.then`, { chars: variableMaxChars })}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
