import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ChatImport } from '#shared/imports/api.ts'

const steps = ['choose', 'review', 'import', 'report'] as const
type Step = (typeof steps)[number]

/** Undefined: it has ended otherwise. */
const stepOf = ({ state, undoing }: ChatImport): Step | undefined => {
  if (state === 'uploading') return 'choose'
  if (state === 'reading' || state === 'ready') return 'review'
  if (state === 'running' || state === 'paused') return undoing ? undefined : 'import'
  return state === 'done' ? 'report' : undefined
}

/** The way of an import, and where it is. */
export function Steps({ one }: { readonly one: ChatImport }) {
  const { t } = useTranslation('imports')
  const now = stepOf(one)
  if (!now) return null
  const place = steps.indexOf(now)
  const isOver = now === 'report'
  return (
    <ol className="import-stepper" aria-label={t('step.title')}>
      {steps.map((step, i) => {
        const isDone = i < place || isOver
        return (
          <li key={step} className={isDone ? 'is-done' : undefined} aria-current={i === place ? 'step' : undefined}>
            <span aria-hidden="true">{isDone ? <Icon name="tick" /> : i + 1}</span>
            {t(`step.${step}`)}
          </li>
        )
      })}
    </ol>
  )
}
