import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type Tag, tagHues, tagLabelMaxChars } from '#shared/tags/api.ts'
import { refreshTags } from './queries.ts'

interface TagDialogProps {
  /** Absent: a new one. */
  readonly tag?: Tag
  onClose(): void
}

const hues = Array.from({ length: tagHues }, (_, hue) => hue)

/** Creates or changes a tag. A new one gets the least used colour by default. */
export default function TagDialog({ tag, onClose }: TagDialogProps) {
  const { t } = useTranslation('tags')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [label, setLabel] = useState(tag?.label ?? '')
  const [hue, setHue] = useState(tag?.hue)
  const [fault, setFault] = useState<{ text: string; isOfLabel: boolean }>()
  const [isSaving, save] = useWork()
  const submit = () =>
    save(async () => {
      setFault(undefined)
      if (!label.trim()) return setFault({ text: t('dialog.required'), isOfLabel: true })
      const body = { label: label.trim(), ...(hue === undefined ? {} : { hue }) }
      try {
        const saved = tag
          ? await api.tags.changeTag({ params: { id: tag.id }, body })
          : await api.tags.createTag({ body })
        await refreshTags(client, slug)
        toast(t(tag ? 'dialog.saved' : 'dialog.created', { label: saved.label }), { kind: 'success' })
        onClose()
      } catch (error) {
        const isOfLabel = isApiError(error) && Boolean(error.details?.some(({ field }) => field === 'body.label'))
        setFault({ text: failureText(error), isOfLabel })
      }
    })
  return (
    <Modal title={t(tag ? 'dialog.editTitle' : 'dialog.createTitle')} onClose={onClose}>
      <DialogForm
        confirm={t(tag ? 'dialog.save' : 'dialog.create')}
        isWorking={isSaving}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field
          label={t('dialog.name')}
          autoComplete="off"
          required
          maxLength={tagLabelMaxChars}
          value={label}
          fault={fault?.isOfLabel ? fault.text : undefined}
          onChange={({ target }) => {
            setLabel(target.value)
            setFault(undefined)
          }}
        />
        <div className="field">
          <span className="field-label" id="tag-hue">
            {t('dialog.color')}
          </span>
          <div className="tag-hues wrap" role="radiogroup" aria-labelledby="tag-hue">
            {hues.map(one => (
              <label key={one} className={`tag-hue hue-${one}`} title={t(`hue.h${one as 0}`)}>
                <input
                  type="radio"
                  name="hue"
                  aria-label={t(`hue.h${one as 0}`)}
                  checked={hue === one}
                  onChange={() => setHue(one)}
                />
                <span>
                  <Icon name="tick" />
                </span>
              </label>
            ))}
          </div>
        </div>
        {fault && !fault.isOfLabel ? <Fault>{fault.text}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
