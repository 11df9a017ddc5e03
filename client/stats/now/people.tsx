import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { PersonNow, StatsNow } from '#shared/stats/now.ts'
import { Definition } from '../figures.tsx'

/** `here`: available, and a page of the product is open. */
const stateOf = ({ isAvailable, isOnline }: PersonNow): 'here' | 'closed' | 'away' => {
  if (!isAvailable) return 'away'
  return isOnline ? 'here' : 'closed'
}

function Person({ person }: { readonly person: PersonNow }) {
  const { t } = useTranslation('stats')
  const { role } = useOrg()
  const isSelf = useViewer().user.id === person.userId
  const { name, userId, open } = person
  const state = stateOf(person)
  const opens = open.count > 0 && roleCan(effectiveRole(role), 'chat:read')
  const says = t('now.openCount', { count: open.count })
  return (
    <li>
      <Avatar name={name} of={userId} small />
      <span className="now-person">
        <strong className="cut" dir="auto">
          {isSelf ? t('now.you', { name }) : name}
        </strong>
        <span className="now-state" data-state={state}>
          {t(`now.state.${state}`)}
        </span>
      </span>
      <span className="now-load">{opens ? <Link to={open.href}>{says}</Link> : says}</span>
    </li>
  )
}

/** Shows the available members, and how many open conversations each has. */
export function People({ answer: { people } }: { readonly answer: StatsNow }) {
  const { t } = useTranslation('stats')
  if (!people.length) return null
  const here = people.filter(person => stateOf(person) === 'here').length
  return (
    <section className="card" aria-labelledby="now-people">
      <div className="card-head">
        <h2 id="now-people">
          {t('now.people')}
          <Definition name={t('now.people')}>{t('now.peopleMeans')}</Definition>
        </h2>
        {people.length > 1 ? <span className="now-all fine">{t('now.here', { here, all: people.length })}</span> : null}
      </div>
      <ul className="now-people">
        {people.map(person => (
          <Person key={person.userId} person={person} />
        ))}
      </ul>
    </section>
  )
}
