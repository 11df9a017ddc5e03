import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { rejectionReasons, sandboxVerdicts } from '#shared/simulator/api.ts'
import type { Template } from '#shared/templates/api.ts'
import {
  qualityMedium,
  statusRejected,
  type TemplateCategory,
  type TemplateQuality,
  templateCategories,
  templateQualities,
} from '#shared/templates/words.ts'

type Verdict = (typeof sandboxVerdicts)[number]
type Reason = (typeof rejectionReasons)[number]

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly button: string
  readonly value: T
  readonly options: readonly T[]
  readonly disabled: boolean
  word(option: T): string
  onChoose(value: T): void
  run(): void
}

function Choice<T extends string>({ label, button, value, options, disabled, word, onChoose, run }: ChoiceProps<T>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="template-choice wrap">
        <select id={id} value={value} onChange={({ target }) => onChoose(target.value as T)}>
          {options.map(one => (
            <option key={one} value={one} dir="auto">
              {word(one)}
            </option>
          ))}
        </select>
        <button type="button" className="button" aria-disabled={disabled} onClick={() => disabled || run()}>
          {button}
        </button>
      </div>
    </div>
  )
}

/** Makes the simulated Meta's decisions, which come back as webhooks. */
export function ReviewControls({ template }: { template: Template }) {
  const { t } = useTranslation('templates')
  const api = useApi()
  const failureText = useFailureText()
  const [reason, setReason] = useState<Reason>('INVALID_FORMAT')
  const [category, setCategory] = useState<TemplateCategory>(template.category)
  const [quality, setQuality] = useState(qualityMedium)
  const [isRunning, run] = useTransition()
  const decide = (body: {
    status?: Verdict
    reason?: Reason
    category?: TemplateCategory
    quality?: TemplateQuality
  }) =>
    run(async () => {
      try {
        await api.sandbox.decideTemplate({ params: { id: template.id }, body })
        toast(t('simulator.done'), { kind: 'success', key: 'template-verdict' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  const button = (status: Exclude<Verdict, typeof statusRejected>) => (
    <button
      key={status}
      type="button"
      className="button"
      aria-disabled={isRunning}
      onClick={() => isRunning || decide({ status })}
    >
      {t(`simulator.${status}`)}
    </button>
  )
  return (
    <section className="card template-simulator" aria-labelledby="template-simulator">
      <h2 id="template-simulator">{t('simulator.title')}</h2>
      <p>{t('simulator.text')}</p>
      <div className="card-buttons">{sandboxVerdicts.filter(verdict => verdict !== statusRejected).map(button)}</div>
      <Choice<Reason>
        label={t('simulator.reason')}
        button={t('simulator.reject')}
        value={reason}
        options={rejectionReasons}
        disabled={isRunning}
        word={one => t(`reason.${one}`)}
        onChoose={setReason}
        run={() => decide({ status: statusRejected, reason })}
      />
      <Choice<TemplateCategory>
        label={t('category.label')}
        button={t('simulator.recategorise')}
        value={category}
        options={templateCategories}
        disabled={isRunning}
        word={one => t(`category.${one}`)}
        onChoose={setCategory}
        run={() => decide({ category })}
      />
      <Choice<TemplateQuality>
        label={t('quality.label')}
        button={t('simulator.grade')}
        value={quality}
        options={templateQualities}
        disabled={isRunning}
        word={one => t(`quality.${one}`)}
        onChoose={setQuality}
        run={() => decide({ quality })}
      />
    </section>
  )
}
