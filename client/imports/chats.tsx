import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'

/** Enough to compare by eye; both sums are compared whole. */
const sumShown = 8

/** Each chat of an import: how many messages the file has and how many are stored, and whether their checksums are equal. */
export function Chats({ id }: { readonly id: string }) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  const { slug } = useOrg()
  const api = useApi()
  const [isOpen, setIsOpen] = useState(false)
  const params = { id }
  const list = useInfiniteQuery({
    queryKey: [...queryFor(slug, 'imports.listChats', { params, query: {} }).queryKey, 'pages'],
    queryFn: ({ pageParam: after }) => api.imports.listChats({ params, query: after ? { after } : {} }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: isOpen,
  })
  const number = new Intl.NumberFormat(language)
  const items = list.data?.pages.flatMap(page => page.items) ?? []
  return (
    <details className="import-chats" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('chats.title')}</summary>
      <p className="field-hint">{t('chats.hint')}</p>
      {items.length ? (
        <div className="import-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('chats.name')}</th>
                <th scope="col">{t('chats.found')}</th>
                <th scope="col">{t('chats.brought')}</th>
                <th scope="col">{t('chats.existing')}</th>
                <th scope="col">{t('chats.result')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((one, i) => {
                const isSame = one.found === one.kept && one.foundSum === one.keptSum
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: chats that were left out have no address
                  <tr key={i}>
                    <th scope="row" dir="auto">
                      {one.chat ? <Link to={paths.chat(slug, one.chat)}>{one.name || one.chat}</Link> : one.name}
                    </th>
                    <td>{number.format(one.found)}</td>
                    <td>{one.chat ? number.format(one.brought) : null}</td>
                    <td>{one.chat ? number.format(Math.max(0, one.kept - one.brought)) : null}</td>
                    <td>
                      {one.chat ? (
                        <span className={isSame ? 'line import-same' : 'line import-differs'}>
                          <Icon name={isSame ? 'tick' : 'warn'} />
                          {t(isSame ? 'chats.same' : 'chats.differ')}
                          <code>{one.foundSum.slice(0, sumShown)}</code>
                        </span>
                      ) : (
                        t('chats.left')
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      ) : null}
      {items.length ? <MoreButton list={list} more={t('chats.more')} failed={t('chats.again')} /> : null}
    </details>
  )
}
