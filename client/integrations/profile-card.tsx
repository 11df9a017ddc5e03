import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { LogoPicker } from '#client/orgs/logo-picker.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { verticals } from '#shared/numbers/standing.ts'
import { profileQuery } from './standing-queries.ts'

const ProfileDialog = lazyDialog(() => import('./profile-dialog.tsx'))

interface ProfileCardProps {
  readonly id: string | undefined
  readonly name: string
  readonly mayChange: boolean
}

/** The business profile that customers see. */
export function ProfileCard({ id, name, mayChange }: ProfileCardProps) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = profileQuery(org.slug, id)
  const profile = useAnswer(query)
  const [isOpen, setOpen] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useTransition()
  const setPicture = (dataBase64: string) =>
    save(async () => {
      setFault(undefined)
      try {
        const which = { query: id === undefined ? {} : { id } }
        client.setQueryData(
          query.queryKey,
          await api.numberStanding.setProfilePicture({ ...which, body: { dataBase64 } }),
        )
        toast(t('profile.pictureSaved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  const vertical = verticals.find(one => one === profile.vertical)
  const rows = [
    { label: t('profile.about'), value: profile.about },
    { label: t('profile.description'), value: profile.description },
    { label: t('profile.address'), value: profile.address },
    { label: t('profile.email'), value: profile.email },
    { label: t('profile.websites'), value: profile.websites.join(' · ') },
    { label: t('profile.vertical'), value: vertical ? t(`vertical.${vertical}`) : profile.vertical },
  ]
  return (
    <section className="card" aria-labelledby="business-profile">
      <div className="card-head">
        <div>
          <h2 id="business-profile">{t('profile.title')}</h2>
          <p className="connection-why">{t('profile.text')}</p>
        </div>
        {mayChange && profile.readAt !== null ? (
          <button type="button" className="button profile-edit" onClick={() => setOpen(true)}>
            {t('profile.edit')}
          </button>
        ) : null}
      </div>
      {profile.readAt === null ? (
        <p>{t('profile.unread')}</p>
      ) : (
        <>
          {mayChange ? (
            <LogoPicker
              label={t('profile.picture')}
              name={name}
              image={profile.picture}
              fault={fault}
              disabled={isSaving}
              takes={{ types: ['image/png', 'image/jpeg'], hint: t('profile.pictureHint') }}
              onChoose={({ dataBase64 }) => setPicture(dataBase64)}
            />
          ) : null}
          <dl className="facts-list">
            {rows.map(({ label, value }) => (
              <div className="facts-pair" key={label}>
                <dt>{label}</dt>
                <dd className="profile-text">
                  {value || <span className="standing-unknown">{t('profile.empty')}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {isOpen ? <ProfileDialog id={id} profile={profile} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}
