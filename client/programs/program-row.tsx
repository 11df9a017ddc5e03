import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { OwnProgram } from '#shared/programs/api.ts'
import { scopeKey } from './scope-choice.tsx'
import { useDestinationName } from './use-destination-name.ts'
import './programs.css'

type ShownProgram = Omit<OwnProgram, 'organization'>

interface ProgramRowProps {
  readonly program: ShownProgram
  /** The level of its heading. */
  readonly as: 'h3' | 'h4'
  /** The organization, or the member who connected it. */
  readonly place: { readonly label: string; readonly name: string }
  onEnd(): void
  readonly children?: ReactNode
}

/** A connected program in a list. */
export function ProgramRow({ program, as: Heading, place, onEnd, children }: ProgramRowProps) {
  const { t, i18n } = useTranslation('programs')
  const { timeZone } = useFacts()
  const destinationName = useDestinationName()
  const language = i18n.language === 'en' ? 'en' : 'es'
  const { name, host, scopes, connectedAt, lastUsedAt } = program
  return (
    <li className="program">
      <Heading>
        <bdi>{name}</bdi>
      </Heading>
      <p className="program-says">{scopes.map(scope => t(scopeKey(scope))).join(' · ')}</p>
      <dl className="program-times">
        <div>
          <dt dir="auto">{place.label}</dt>
          <dd>
            <bdi>{place.name}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('goesTo')}</dt>
          <dd>{destinationName(host)}</dd>
        </div>
        <div>
          <dt>{t('list.connected')}</dt>
          <dd>{shortTime(connectedAt, language, timeZone)}</dd>
        </div>
        <div>
          <dt>{t('list.lastUsed')}</dt>
          <dd>{lastUsedAt ? shortTime(lastUsedAt, language, timeZone) : t('list.never')}</dd>
        </div>
      </dl>
      {children}
      <button type="button" className="button" aria-label={t('list.endOf', { name })} onClick={onEnd}>
        {t('list.end')}
      </button>
    </li>
  )
}
