import { useTranslation } from 'react-i18next'
import { WaText } from '#client/templates/wa-text.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type FlowNode, nodeKind } from '#shared/flows/graph.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { variableName } from '../words.ts'
import '#client/templates/preview.css'

/** The step as the customer's phone shows it; nothing if it sends nothing. */
export function BubblePreview({ node }: { readonly node: FlowNode }) {
  const { t } = useTranslation('flows')
  const text = nodeKind(node).messageText?.(node)
  if (text === undefined) return null
  const media = node.type === 'message' ? node.media : undefined
  const options = node.type === 'buttons' ? node.options : []
  const isList = options.length > outboundLimits.buttons
  return (
    <section className="flow-preview" aria-label={t('preview')}>
      <div className="wa-phone">
        <div className="wa-chat">
          <div className="wa-bubble wa-message">
            {media ? (
              <p className="flow-preview-media">
                <Icon name="clip" />
                <span className="cut" dir="auto">
                  {media.name || t(`media.${media.kind}`)}
                </span>
              </p>
            ) : null}
            {text.trim() || !media ? (
              <p className={text.trim() ? 'wa-body' : 'wa-body wa-missing'}>
                {text.trim() ? (
                  <WaText text={text} values={undefined} nameOf={name => variableName(t, name)} />
                ) : (
                  t('previewEmpty')
                )}
              </p>
            ) : null}
            <p className="wa-time">11:00</p>
            {options.length ? (
              <ul className="wa-buttons">
                {isList && node.type === 'buttons' ? (
                  <li>
                    <Icon name="menu" />
                    <span className="cut">{node.listLabel || t('previewList')}</span>
                  </li>
                ) : (
                  options.map(({ id, title }) => (
                    <li key={id}>
                      <Icon name="reply" />
                      <span className={title ? 'cut' : 'cut wa-missing'}>{title || t('previewOption')}</span>
                    </li>
                  ))
                )}
              </ul>
            ) : null}
          </div>
          {isList ? (
            <ul className="flow-preview-rows wa-bubble">
              {options.map(({ id, title, description }) => (
                <li key={id}>
                  <span className={title ? 'cut' : 'cut wa-missing'}>{title || t('previewOption')}</span>
                  {description ? <small className="cut">{description}</small> : null}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      </div>
    </section>
  )
}
