import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, replace, useParams, useSearchParams } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { factsContext } from '#client/app/facts.ts'
import type { DialogEnd } from '#client/integrations/simulated-facebook.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { findOrg, requireViewer, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'

export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  if (!org) throw replace(paths.unauthorized())
  if (!args.context.get(factsContext).site.facebook?.isSimulated) throw replace(paths.settingsOf(org.slug, 'whatsapp'))
  return null
}

/** `/org/{slug}/simulator/signup`: simulates Meta's dialog in which a business lets an app use its WhatsApp account. */
export default function SignupPage() {
  const { t } = useTranslation('simulator')
  const org = findOrg(useViewer(), useParams().org)
  const [query] = useSearchParams()
  const api = useApi()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const say = (data: DialogEnd | string) => (window.opener as Window | null)?.postMessage(data, location.origin)
  const end = (code: string | null) => {
    say({ type: 'simulator.login', code })
    window.close()
  }
  const allow = () =>
    work(async () => {
      setFailure(undefined)
      try {
        const { code, phoneNumberId, wabaId } = await api.sandbox.signUp({
          body: { appId: query.get('client_id') ?? '' },
        })
        const data = { phone_number_id: phoneNumberId, waba_id: wabaId }
        say(JSON.stringify({ type: 'WA_EMBEDDED_SIGNUP', event: 'FINISH', version: '3', data }))
        end(code)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <PublicFrame title={t('signup.title')}>
      <div className="stack">
        <h1>{t('signup.title')}</h1>
        <p className="lead">{t('signup.text', { org: org?.name ?? '' })}</p>
        <p className="notice">
          <Icon name="info" />
          <span>{t('signup.played')}</span>
        </p>
        {failure ? <Fault>{failure}</Fault> : null}
        <button
          type="button"
          className="button button-primary button-wide"
          aria-disabled={isWorking}
          onClick={() => isWorking || allow()}
        >
          {t(isWorking ? 'signup.working' : 'signup.allow')}
        </button>
        <button type="button" className="button button-wide" onClick={() => end(null)}>
          {t('signup.refuse')}
        </button>
      </div>
    </PublicFrame>
  )
}
