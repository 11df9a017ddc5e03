import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery, rulesQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { type AssignmentRule, assignmentMost, assignmentWays } from '#shared/inbox/assignment.ts'
import { useFormPart } from '../joint-form.tsx'

const usualMost = 20

interface Typed {
  /** A team may use the organization's rule. */
  readonly way: AssignmentRule['way'] | 'inherited'
  readonly isLimited: boolean
  readonly most: string
  readonly toLast: boolean
}
const typedFrom = (rule: AssignmentRule | null): Typed => ({
  way: rule?.way ?? 'inherited',
  isLimited: rule !== null && rule.most !== null,
  most: String(rule?.most ?? usualMost),
  toLast: rule?.toLast ?? false,
})
const ruleFrom = ({ way, isLimited, most, toLast }: Typed): AssignmentRule | null =>
  way === 'inherited' ? null : { way, most: isLimited ? Number(most) : null, toLast }

/** The rule of the organization, or of a team. */
function RuleFields({ team, rule }: { team: { id: string; name: string } | null; rule: AssignmentRule | null }) {
  const { t } = useTranslation('settings')
  const id = useId()
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useTyped(typedFrom(rule))
  const [error, setError] = useState<unknown>()
  const put = (change: Partial<Typed>) => {
    setTyped({ ...typed, ...change })
    setError(undefined)
  }
  useFormPart({
    isChanged: JSON.stringify(ruleFrom(typed)) !== JSON.stringify(rule),
    async save() {
      setError(undefined)
      try {
        const answer = await api.assignment.setRule({ body: { teamId: team?.id ?? null, rule: ruleFrom(typed) } })
        client.setQueryData(rulesQuery(org.slug).queryKey, answer)
        return true
      } catch (refusal) {
        setError(refusal)
        return false
      }
    },
    discard() {
      setTyped(typedFrom(rule))
      setError(undefined)
    },
  })
  const fault = fieldFault(error, 'body.rule.most') ?? fieldFault(error, 'body.rule')
  const isOn = typed.way === 'turn' || typed.way === 'leastBusy'
  return (
    <fieldset className="form form-part" aria-label={team?.name ?? org.name}>
      {team ? (
        <h3 className="assignment-team">
          <bdi>{t('assignment.team', { name: team.name })}</bdi>
        </h3>
      ) : null}
      <div className="field">
        <label htmlFor={id}>{t(team ? 'assignment.teamWay' : 'assignment.way')}</label>
        <select id={id} value={typed.way} onChange={({ target }) => put({ way: target.value as Typed['way'] })}>
          {team ? <option value="inherited">{t('assignment.inherited')}</option> : null}
          {assignmentWays.map(way => (
            <option key={way} value={way}>
              {t(`assignment.ways.${way}`)}
            </option>
          ))}
        </select>
      </div>
      {isOn ? (
        <>
          <label className="check">
            <input type="checkbox" checked={typed.toLast} onChange={({ target }) => put({ toLast: target.checked })} />
            {t('assignment.toLast')}
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={typed.isLimited}
              onChange={({ target }) => put({ isLimited: target.checked })}
            />
            {t('assignment.limited')}
          </label>
          {typed.isLimited ? (
            <Field
              label={t('assignment.most')}
              type="number"
              inputMode="numeric"
              min={1}
              max={assignmentMost}
              value={typed.most}
              fault={fault}
              onChange={({ target }) => put({ most: target.value })}
            />
          ) : null}
        </>
      ) : null}
      {error !== undefined && !(fault && typed.isLimited) ? <Fault>{failureText(error)}</Fault> : null}
    </fieldset>
  )
}

/** Sets whether the first reply assigns. */
function OnReply() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { assignOnReply: stored } = useAnswer(orgSettingsQuery(org.slug))
  const [isOn, setIsOn] = useTyped(stored)
  const [fault, setFault] = useState<string>()
  useFormPart({
    isChanged: isOn !== stored,
    async save() {
      setFault(undefined)
      try {
        const answer = await api.orgSettings.changeSettings({ body: { assignOnReply: isOn } })
        client.setQueryData(orgSettingsQuery(org.slug).queryKey, answer)
        return true
      } catch (error) {
        setFault(failureText(error))
        return false
      }
    },
    discard() {
      setIsOn(stored)
      setFault(undefined)
    },
  })
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => setIsOn(target.checked)} />
        {t('assignment.onReply')}
      </label>
      {fault ? <Fault>{fault}</Fault> : null}
    </>
  )
}

export function AssignmentSettings() {
  const { t } = useTranslation('settings')
  const org = useOrg()
  const { organization, teams } = useAnswer(rulesQuery(org.slug))
  return (
    <>
      <OnReply />
      <p>{t('assignment.text')}</p>
      <RuleFields team={null} rule={organization} />
      {teams.map(({ id, name, rule }) => (
        <RuleFields key={id} team={{ id, name }} rule={rule} />
      ))}
    </>
  )
}
