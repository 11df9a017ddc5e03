import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { InputOf } from '#shared/kernel/contract.ts'
import {
  type ConnectionProfile,
  maxWebsites,
  type numberStandingApi,
  profileLimits,
  verticals,
} from '#shared/numbers/standing.ts'
import { faultBeside } from './fault-beside.ts'
import { profileQuery } from './standing-queries.ts'

type Change = InputOf<typeof numberStandingApi.changeProfile>['body']

interface ProfileDialogProps {
  readonly id: string | undefined
  readonly profile: ConnectionProfile
  onClose(): void
}

const names = ['about', 'description', 'address', 'email'] as const

/** Only changed fields are sent, because Meta limits changes. */
const changeOf = (before: ConnectionProfile, after: ConnectionProfile): Change => {
  const websites = after.websites.map(one => one.trim()).filter(Boolean)
  const vertical = verticals.find(one => one === after.vertical)
  return {
    ...Object.fromEntries(names.filter(name => after[name] !== before[name]).map(name => [name, after[name]])),
    ...(websites.join(' ') === before.websites.join(' ') ? {} : { websites }),
    ...(vertical && vertical !== before.vertical ? { vertical } : {}),
  }
}

/** Changes the business profile at Meta. */
export default function ProfileDialog({ id, profile, onClose }: ProfileDialogProps) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const fieldId = useId()
  const [draft, setDraft] = useState(profile)
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const set = (change: Partial<ConnectionProfile>) => setDraft({ ...draft, ...change })
  const submit = () =>
    save(async () => {
      setError(undefined)
      const body = changeOf(profile, draft)
      if (Object.keys(body).length === 0) return onClose()
      try {
        const query = id === undefined ? {} : { id }
        client.setQueryData(
          profileQuery(org.slug, id).queryKey,
          await api.numberStanding.changeProfile({ query, body }),
        )
        toast(t('profile.saved'), { kind: 'success' })
        onClose()
      } catch (refused) {
        setError(refused)
      }
    })
  const websites = Array.from({ length: maxWebsites }, (_, i) => draft.websites[i] ?? '')
  const faults = [...names, 'vertical', 'websites', ...websites.map((_, i) => `websites.${i}`)]
  const isBeside = faults.some(field => faultBeside(error, field) !== undefined)
  const verticalFault = faultBeside(error, 'vertical')
  const descriptionFault = faultBeside(error, 'description')
  return (
    <Modal title={t('profile.title')} width={520} onClose={onClose}>
      <DialogForm
        confirm={t(isSaving ? 'profile.saving' : 'profile.save')}
        isWorking={isSaving}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field
          label={t('profile.about')}
          hint={t('profile.aboutHint')}
          maxLength={profileLimits.about}
          value={draft.about}
          fault={faultBeside(error, 'about')}
          onChange={({ target }) => set({ about: target.value })}
        />
        <div className="field">
          <label htmlFor={fieldId}>{t('profile.description')}</label>
          <textarea
            dir="auto"
            id={fieldId}
            rows={4}
            maxLength={profileLimits.description}
            value={draft.description}
            aria-invalid={Boolean(descriptionFault)}
            onChange={({ target }) => set({ description: target.value })}
          />
          {descriptionFault ? <Fault>{descriptionFault}</Fault> : null}
        </div>
        <Field
          label={t('profile.address')}
          maxLength={profileLimits.address}
          value={draft.address}
          fault={faultBeside(error, 'address')}
          onChange={({ target }) => set({ address: target.value })}
        />
        <Field
          label={t('profile.email')}
          type="email"
          maxLength={profileLimits.email}
          value={draft.email}
          fault={faultBeside(error, 'email')}
          onChange={({ target }) => set({ email: target.value })}
        />
        {websites.map((website, i) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: there are as many as there are places
            key={i}
            label={t('profile.website', { count: i + 1 })}
            type="url"
            placeholder="https://"
            maxLength={profileLimits.website}
            value={website}
            fault={faultBeside(error, `websites.${i}`) ?? (i === 0 ? faultBeside(error, 'websites') : undefined)}
            onChange={({ target }) => set({ websites: websites.with(i, target.value) })}
          />
        ))}
        <div className="field">
          <label htmlFor={`${fieldId}-vertical`}>{t('profile.vertical')}</label>
          <select
            id={`${fieldId}-vertical`}
            value={draft.vertical}
            aria-invalid={Boolean(verticalFault)}
            onChange={({ target }) => set({ vertical: target.value })}
          >
            {verticals.some(one => one === profile.vertical) ? null : (
              <option value={profile.vertical} dir="auto">
                {profile.vertical || t('profile.empty')}
              </option>
            )}
            {verticals.map(one => (
              <option key={one} value={one}>
                {t(`vertical.${one}`)}
              </option>
            ))}
          </select>
          {verticalFault ? <Fault>{verticalFault}</Fault> : null}
        </div>
        {error && !isBeside ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
