import { useTranslation } from 'react-i18next'
import type { CarriedFlow, Lost } from './typebot.ts'
import './typebot.css'

const shownOfEach = 8

function Losses({ what, lost }: { readonly what: Lost['what']; readonly lost: readonly Lost[] }) {
  const { t } = useTranslation('flows')
  const places = [
    ...new Set(
      lost.map(({ group, detail }) =>
        [group.trim() ? t('typebot.in', { group: group.trim().slice(0, 80) }) : '', detail].filter(Boolean).join(': '),
      ),
    ),
  ].filter(Boolean)
  return (
    <li>
      <b>{t(`typebot.lost.${what}`)}</b>
      {places.length ? (
        <ul>
          {places.slice(0, shownOfEach).map(place => (
            <li key={place}>{place}</li>
          ))}
          {places.length > shownOfEach ? <li>{t('typebot.more', { count: places.length - shownOfEach })}</li> : null}
        </ul>
      ) : null}
    </li>
  )
}

/** The result of a Typebot import and all its differences, before the flow is created. */
export function TypebotReport({ carried }: { readonly carried: CarriedFlow }) {
  const { t } = useTranslation('flows')
  const { draft, lost } = carried
  return (
    <div className="flow-typebot">
      <p>
        <b>{t('typebot.says', { name: draft.name, count: draft.graph.nodes.length })}</b>
      </p>
      <p className="field-hint">{t(lost.length ? 'typebot.some' : 'typebot.whole')}</p>
      {lost.length ? (
        <ul className="flow-typebot-lost box">
          {[...Map.groupBy(lost, ({ what }) => what)].map(([what, of]) => (
            <Losses key={what} what={what} lost={of} />
          ))}
        </ul>
      ) : null}
    </div>
  )
}
