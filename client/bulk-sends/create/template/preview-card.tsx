import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BodySnippet, MarkedText } from '#client/templates/body-snippet.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { PreviewBubble } from './preview-bubble.tsx'
import { sampleOf } from './sample.ts'

/** The whole text with its examples highlighted. Meta writes the one of a code. */
function SampleText({ template }: { readonly template: Template }) {
  const body = findComponent(template.components, 'BODY')
  return body?.text ? <MarkedText text={body.text} example={body.example} /> : <BodySnippet template={template} />
}

interface PreviewCardProps {
  readonly template: Template
  /** The messages of the first recipients. Empty: there is no recipient yet, or a value is missing. */
  readonly previews: BulkPlan['previews']
}

/** The message as the first recipients get it, one after another; before that, the template with its variables. */
export function PreviewCard({ template, previews }: PreviewCardProps) {
  const { t } = useTranslation('bulk-sends')
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, previews.length - 1)
  const preview = previews[at]
  const step = (by: number) => setChosen((at + by + previews.length) % previews.length)
  return (
    <section className="card bulk-preview" aria-label={t('plan.previews')}>
      <div className="line bulk-preview-head">
        <h2 className="grow">{t('plan.previews')}</h2>
        {previews.length > 1 ? (
          <>
            <button type="button" className="icon-button" data-tip={t('preview.before')} onClick={() => step(-1)}>
              <Icon name="back" />
              <span className="sr-only">{t('preview.before')}</span>
            </button>
            <span className="fine bulk-figure">{t('preview.at', { at: at + 1, all: previews.length })}</span>
            <button
              type="button"
              className="icon-button bulk-mirrored"
              data-tip={t('preview.next')}
              onClick={() => step(1)}
            >
              <Icon name="back" />
              <span className="sr-only">{t('preview.next')}</span>
            </button>
          </>
        ) : null}
      </div>
      <div className="bulk-phone" aria-live="polite">
        <small dir="auto">
          {preview ? (preview.name ? `${preview.name} · ${preview.phone}` : preview.phone) : t('preview.sample')}
        </small>
        {preview ? (
          <PreviewBubble preview={preview} />
        ) : (
          <PreviewBubble preview={sampleOf(template)} body={<SampleText template={template} />} />
        )}
      </div>
    </section>
  )
}
