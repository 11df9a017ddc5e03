import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { queryFor } from '#client/app/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'

/** Each chat of an import: how many messages the file has and how many are stored, with their checksums. */
export function Chats({ id }: { readonly id: string }) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  const { slug } = useOrg()
  const { data } = useQuery(queryFor(slug, 'imports.listChats', { params: { id }, query: {} }))
  const number = new Intl.NumberFormat(language)
  const items = data?.items ?? []
  if (!items.length) return null
  const cell = (count: number, sum: string) => (
    <>
      {number.format(count)} <code>{sum}</code>
    </>
  )
  return (
    <details className="import-chats">
      <summary>{t('chats.title')}</summary>
      <p className="field-hint">{t('chats.hint')}</p>
      <div className="import-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('chats.name')}</th>
              <th scope="col">{t('chats.found')}</th>
              <th scope="col">{t('chats.kept')}</th>
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
                  <td>{cell(one.found, one.foundSum)}</td>
                  <td>{one.chat ? cell(one.kept, one.keptSum) : null}</td>
                  <td>{t(one.chat === null ? 'chats.left' : isSame ? 'chats.same' : 'chats.differ')}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}
