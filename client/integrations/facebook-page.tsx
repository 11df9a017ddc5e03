import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { loadScript, openDialog } from './facebook.ts'
import { FacebookHowTo } from './facebook-card.tsx'
import { faultBeside } from './fault-beside.ts'

/** `/org/{slug}/settings/whatsapp/facebook`: connects a WhatsApp account in Meta's dialog. */
export default function FacebookPage() {
  const { t } = useTranslation('integrations')
  const { language, site } = useFacts()
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [pin, setPin] = useState('')
  const [error, setError] = useState<unknown>()
  const [note, setNote] = useState<'left' | 'noNumber' | 'noScript'>()
  const [isWorking, work] = useTransition()
  const dialog = site.facebook
  const back = paths.settingsOf(slug, 'whatsapp')
  const connect = () =>
    work(async () => {
      if (!dialog) return
      setError(undefined)
      setNote(undefined)
      const script = await loadScript(dialog, language).catch(() => undefined)
      if (!script) return setNote('noScript')
      const signedUp = await openDialog(script, dialog)
      if (typeof signedUp === 'string') return setNote(signedUp)
      try {
        await api.numbers.confirmNumber({ body: { ...signedUp, ...(pin ? { pin } : {}) } })
      } catch (refused) {
        return setError(refused)
      }
      // A full page load ends Meta's script.
      location.assign(back)
    })
  const pinFault = faultBeside(error, 'pin')
  return (
    <section className="card" aria-labelledby="facebook">
      <title>{`${t('facebook.title')} · ${PRODUCT_NAME}`}</title>
      <div className="card-head">
        <div>
          <h2 id="facebook">{t('facebook.title')}</h2>
          <p className="connection-why">{t(dialog ? 'facebook.text' : 'facebook.off')}</p>
        </div>
      </div>
      {dialog ? (
        <>
          <ol className="facebook-steps">
            {(['account', 'number', 'back'] as const).map(step => (
              <li key={step}>{t(`facebook.step.${step}`)}</li>
            ))}
          </ol>
          <Field
            label={t('facebook.pin')}
            hint={t('add.pinHint')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={pin}
            fault={pinFault}
            onChange={({ target }) => setPin(target.value.replace(/\D/g, ''))}
          />
          {error && !pinFault ? <Fault>{failureText(error)}</Fault> : null}
          {note ? <Fault>{t(`facebook.note.${note}`)}</Fault> : null}
          <div className="card-buttons">
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isWorking}
              onClick={() => isWorking || connect()}
            >
              {t(isWorking ? 'facebook.working' : 'facebook.go')}
            </button>
            <a className="button" href={back}>
              {t('facebook.back')}
            </a>
          </div>
        </>
      ) : (
        <FacebookHowTo />
      )}
    </section>
  )
}
