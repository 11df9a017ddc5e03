import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeOf } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { type FlowMedia, flowMediaKinds } from '#shared/flows/nodes/message.ts'
import { captionMaxChars } from '#shared/media/sent-files.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import { LineField, SelectField, useFieldProblem } from '../forms/fields.tsx'
import { FallbackFields } from '../forms/template-fields.tsx'
import { TextField } from '../forms/text-field.tsx'

const pauses = [0, 1000, 2000, 3000, 5000, 8000, 15_000]

/** An image, a video, audio or a document, at a public address. */
function MediaFields({ node }: { readonly node: NodeOf<'message'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { id, media } = node
  const fault = useFieldProblem({ nodeId: id }, 'media')
  const kinds = useMemo(
    () => [
      <option key="" value="">
        {t('media.none')}
      </option>,
      ...flowMediaKinds.map(kind => (
        <option key={kind} value={kind}>
          {t(`media.${kind}`)}
        </option>
      )),
    ],
    [t],
  )
  const change = (part: Partial<FlowMedia>, field: string) =>
    media && changeNode(id, { media: { ...media, ...part } }, `${id}.media.${field}`)
  return (
    <>
      <SelectField
        label={t('field.media')}
        value={media?.kind ?? ''}
        onChange={kind =>
          changeNode(id, { media: kind ? { url: '', ...media, kind: kind as FlowMedia['kind'] } : undefined })
        }
      >
        {kinds}
      </SelectField>
      {media ? (
        <LineField
          label={t('field.mediaUrl')}
          hint={t('field.mediaUrlHint')}
          value={media.url}
          maxLength={flowLimits.url}
          isCode
          placeholder="https://"
          fault={fault}
          onChange={url => change({ url: url.trim() }, 'url')}
        />
      ) : null}
      {media?.kind === 'document' ? (
        <LineField
          label={t('field.mediaName')}
          value={media.name ?? ''}
          maxLength={240}
          onChange={name => change({ name }, 'name')}
        />
      ) : null}
    </>
  )
}

export default function MessageForm({ node }: { readonly node: NodeOf<'message'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const typings = useMemo(
    () =>
      pauses.map(ms => (
        <option key={ms} value={ms} dir="auto">
          {ms ? t('field.seconds', { count: ms / 1000 }) : t('field.noTyping')}
        </option>
      )),
    [t],
  )
  return (
    <>
      <TextField
        label={t('field.text')}
        value={node.text}
        max={node.media ? captionMaxChars : outboundLimits.text}
        fault={useFieldProblem({ nodeId: node.id }, 'text')}
        onChange={text => changeNode(node.id, { text }, `${node.id}.text`)}
      />
      <MediaFields node={node} />
      <SelectField
        label={t('field.typing')}
        hint={t('field.typingHint')}
        value={String(node.typingMs ?? 0)}
        onChange={ms => changeNode(node.id, { typingMs: Number(ms) || undefined })}
      >
        {typings}
      </SelectField>
      <FallbackFields node={node} />
    </>
  )
}
