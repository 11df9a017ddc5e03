import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { InParts } from '#client/app/calls/use-in-parts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { type ContactSort, maxSelectedContacts } from '#shared/contacts/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useColumns } from './columns.ts'
import { Row } from './contact-row.tsx'
import { useRowKeys } from './opened.tsx'
import { pickedOf } from './picked.ts'
import { type ContactFilter, contactsQuery, refreshContacts, usualSort } from './queries.ts'
import { type SelectAllProps, SelectMore, SelectShown } from './select-all.tsx'
import { Selection } from './selection.tsx'
import type { ChangesProps } from './use-changes.ts'
import { useMatching } from './use-matching.ts'

interface ContactRowsProps {
  readonly filter: ContactFilter
  readonly sort: ContactSort
  readonly parts: InParts
}

interface SortHeadProps {
  readonly by: Exclude<ContactSort, 'newest'>
  readonly sort: ContactSort
  readonly says: string
}

/** Sorts the table by a column; pressed again, in the usual order. */
function SortHead({ by, sort, says }: SortHeadProps) {
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const isChosen = sort === by
  if (isChosen || by === usualSort) query.delete('sort')
  else query.set('sort', by)
  return (
    <Link className="contact-sort" to={{ search: query.toString() }} replace preventScrollReset>
      {says}
      {isChosen ? <span aria-hidden="true">{by === 'name' ? ' ↑' : ' ↓'}</span> : null}
    </Link>
  )
}

/** The table of contacts. */
export function ContactRows({ filter, sort, parts }: ContactRowsProps) {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [pickedIds, setPickedIds] = useState<ReadonlySet<string>>(new Set())
  const matching = useMatching(filter)
  const onKeyDown = useRowKeys()
  const [columns] = useColumns(useAnswer(contactFieldsQuery(slug)).items)
  const list = useSuspensePages(contactsQuery(slug, filter, sort))
  const contacts = list.data.pages.flatMap(page => page.items)
  const loaded = new Set(contacts.map(({ id }) => id))
  // A loaded row is newer than what was fetched to select it.
  const selectable = [...contacts.map(pickedOf), ...matching.matching.filter(({ id }) => !loaded.has(id))]
  const picked = pickedIds.size ? selectable.filter(({ id }) => pickedIds.has(id)) : []
  const pick = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(picked.map(({ id }) => id))
    for (const id of ids)
      if (!isOn) next.delete(id)
      else if (next.size < maxSelectedContacts) next.add(id)
    setPickedIds(next)
  }
  const clear = () => {
    setPickedIds(new Set())
    matching.setMatching([])
  }
  const reload = () => refreshContacts(client, slug)
  const onChanged: ChangesProps['onChanged'] = (ids, change) => {
    if (change) {
      const changed = new Set(ids)
      matching.setMatching(before =>
        before.map(one =>
          changed.has(one.id) ? { ...one, ...(typeof change === 'function' ? change(one) : change) } : one,
        ),
      )
    }
    return reload()
  }
  const canPick = roleCan(effectiveRole(role), 'chat:reply')
  const all: SelectAllProps = {
    shown: contacts.length,
    isAllShown: contacts.every(({ id }) => pickedIds.has(id)),
    mayHaveMore: list.hasNextPage && picked.length <= contacts.length,
    matching,
    onShown: isOn => (isOn ? pick([...loaded], true) : clear()),
    onMatching: ids => setPickedIds(new Set(ids)),
  }
  const bar =
    picked.length || parts.progress ? (
      <Selection picked={picked} parts={parts} more={<SelectMore {...all} />} onChanged={onChanged} onClear={clear} />
    ) : null
  if (!contacts.length && !list.hasNextPage)
    return (
      <>
        {Object.keys(filter).length ? (
          <Empty
            icon="search"
            says={t('noneFound')}
            action={
              <Link className="button" to={paths.contacts(slug)}>
                {t('clear')}
              </Link>
            }
          />
        ) : (
          <Empty icon="person" says={t('none')} />
        )}
        {bar}
      </>
    )
  return (
    <>
      <table className="contact-table" aria-label={t('title')} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {canPick ? (
              <th scope="col" className="contact-check">
                <SelectShown {...all} isSome={picked.length > 0} />
              </th>
            ) : null}
            <th scope="col" aria-sort={sort === 'name' ? 'ascending' : undefined}>
              <SortHead by="name" sort={sort} says={t('head.name')} />
            </th>
            <th scope="col" className="contact-number">
              {t('column.number')}
            </th>
            <th scope="col" className="contact-tag-cell">
              {t('column.tags')}
            </th>
            {columns.map(({ id, label }, at) => (
              <th key={id} scope="col" className="contact-field cut" data-column={at} dir="auto">
                {label}
              </th>
            ))}
            <th scope="col" className="contact-last" aria-sort={sort === 'activity' ? 'descending' : undefined}>
              <SortHead by="activity" sort={sort} says={t('head.last')} />
            </th>
            <th scope="col" className="contact-more">
              <span className="sr-only">{t('head.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {contacts.map(contact => (
            <Row
              key={contact.id}
              contact={contact}
              columns={columns}
              isPicked={pickedIds.has(contact.id)}
              onPick={canPick ? isOn => pick([contact.id], isOn) : undefined}
              onRenamed={reload}
            />
          ))}
        </tbody>
      </table>
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
      {bar}
    </>
  )
}
