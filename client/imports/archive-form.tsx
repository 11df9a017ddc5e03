import { useQuery } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { membersQuery, wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { Fault, Labelled } from '#client/ui/controls/field.tsx'
import { shortDate } from '#shared/kernel/time.ts'
import type { FormProps } from './form-props.ts'
import { Found } from './found.tsx'
import { LeftOut } from './left-out.tsx'
import { Sample } from './sample.tsx'

type Targets = Readonly<Record<string, string>>
/** A choice that names nothing here. */
const leftOut = '-'
const undecided = ''

interface RowsProps {
  readonly title: string
  readonly rows: readonly { readonly from: string; readonly label: string; readonly hint?: string }[]
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: Targets
  onChoose(from: string, to: string): void
}

/** Rows of the source beside what each becomes here. */
function Rows({ title, rows, options, chosen, onChoose }: RowsProps) {
  const id = useId()
  if (!rows.length) return null
  return (
    <fieldset className="import-rows">
      <legend>{title}</legend>
      <ul>
        {rows.map(({ from, label, hint }, i) => (
          <li key={from}>
            <span id={`${id}-${i}`} dir="auto">
              {label}
              {hint ? <small>{hint}</small> : null}
            </span>
            <div className="field">
              <select
                aria-labelledby={`${id}-${i}`}
                value={chosen[from] ?? undecided}
                onChange={({ target }) => onChoose(from, target.value)}
              >
                {options.map(option => (
                  <option key={option.value} value={option.value} dir="auto">
                    {option.label}
                  </option>
                ))}
              </select>
            </div>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

const targetsOf = (given: readonly { from: string; to: string | null }[] = []): Targets =>
  Object.fromEntries(given.map(({ from, to }) => [from, to ?? leftOut]))
const mappedTo = (targets: Targets) =>
  Object.entries(targets).flatMap(([from, to]) => (to === undecided ? [] : [{ from, to: to === leftOut ? null : to }]))

/** Shows what was found in an archive or a dump, asks what its numbers, people and tags become, and starts the import. */
export function ArchiveForm({ one, discard, onChanged }: FormProps) {
  const { t } = useTranslation('imports')
  const { language, timeZone } = useFacts()
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const waba = useQuery(wabaQuery(slug))
  const members = useQuery(membersQuery(slug))
  const allTags = useQuery(tagsQuery(slug))
  const [numbers, setNumbers] = useState(targetsOf(one.mapping.numbers))
  const [agents, setAgents] = useState(targetsOf(one.mapping.agents))
  const [tags, setTags] = useState(targetsOf(one.mapping.tags))
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useTransition()
  const { found } = one
  if (!found?.archive) return null
  const { archive } = found
  const own = waba.data?.numbers ?? []
  // With a single number the list is left out.
  const phones = own.length ? own.flatMap(({ phone }) => phone ?? []) : waba.data?.phone ? [waba.data.phone] : []
  const onlyNumber = waba.data?.displayPhone || `+${waba.data?.phone}`
  const params = { id: one.id }
  const start = () => {
    if (archive.numbers.some(({ id }) => !numbers[id])) return setFault(t('archive.numberMissing'))
    work(async () => {
      setFault(undefined)
      try {
        const body = { numbers: mappedTo(numbers), agents: mappedTo(agents), tags: mappedTo(tags) }
        await api.imports.map({ params, body })
        await api.imports.start({ params })
        onChanged()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  }
  const lookThrough = (account: string) =>
    work(async () => {
      setFault(undefined)
      try {
        await api.imports.map({ params, body: { account } })
        onChanged()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (!isWorking) start()
      }}
    >
      {archive.madeAt ? (
        <p>
          {t('archive.from', {
            organization: archive.organization,
            at: shortDate(archive.madeAt, language, timeZone),
          })}
        </p>
      ) : archive.organization && !archive.accounts ? (
        <p>{t('archive.of', { organization: archive.organization })}</p>
      ) : null}
      {archive.accounts ? (
        <Labelled label={t('archive.account')} hint={t('archive.accountHint')}>
          {control => (
            <select
              {...control}
              value={archive.account}
              onChange={({ target }) => {
                if (!isWorking) lookThrough(target.value)
              }}
            >
              {archive.accounts?.map(({ id, name, chats }) => (
                <option key={id} value={id} dir="auto">
                  {t('archive.accountChats', { name: name || id, count: chats })}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      ) : null}
      <Found found={found} />
      <div className="import-review">
        <div className="import-asked">
          <Rows
            title={t('archive.numbers')}
            rows={archive.numbers.map(({ id, phone, label, chats }) => ({
              from: id,
              label: [label, phone && `+${phone}`].filter(Boolean).join(', '),
              hint: t('archive.chats', { count: chats }),
            }))}
            options={[
              { value: undecided, label: t('map.choose') },
              ...phones.map(phone => ({ value: phone, label: own.length ? nameOfNumber(own, phone) : onlyNumber })),
              { value: leftOut, label: t('archive.leaveOut') },
            ]}
            chosen={numbers}
            onChoose={(from, to) => setNumbers(all => ({ ...all, [from]: to }))}
          />
          <Rows
            title={t('archive.agents')}
            rows={archive.agents.map(({ id, name, messages }) => ({
              from: id,
              label: name,
              hint: t('found.messages', { count: messages }),
            }))}
            options={[
              { value: leftOut, label: t('archive.left') },
              ...(members.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
            ]}
            chosen={agents}
            onChoose={(from, to) => setAgents(all => ({ ...all, [from]: to }))}
          />
          <Rows
            title={t('archive.tags')}
            rows={archive.tags.map(({ label, contacts }) => ({
              from: label,
              label,
              hint: t('archive.contacts', { count: contacts }),
            }))}
            options={[
              { value: undecided, label: t('archive.sameName') },
              ...(allTags.data?.items ?? []).map(({ id, label }) => ({ value: id, label })),
              { value: leftOut, label: t('archive.leaveOut') },
            ]}
            chosen={tags}
            onChoose={(from, to) => setTags(all => ({ ...all, [from]: to }))}
          />
          <LeftOut one={one} />
        </div>
        <Sample messages={found.sample ?? []} />
      </div>
      {fault ? <Fault>{fault}</Fault> : null}
      <p className="import-who">{t('quiet')}</p>
      <div className="card-buttons">
        <button type="submit" className="button button-primary" aria-disabled={isWorking}>
          {t('act.startAll')}
        </button>
        {discard}
      </div>
    </form>
  )
}
