import { useTranslation } from 'react-i18next'
import type { ImportPreview, RefusedRow } from '#shared/contacts/imports.ts'

export function RefusedRows({ faults, refused }: { faults: readonly RefusedRow[]; refused: number }) {
  const { t } = useTranslation('contacts')
  if (!refused) return null
  return (
    <details className="import-faults">
      <summary>{t('import.seeRefused', { count: refused })}</summary>
      <ul>
        {faults.map(({ row, fault, column }) => (
          <li key={row}>
            <b>{t('import.row', { row })}</b> {t(`import.fault.${fault}`, { column: column ?? '' })}
          </li>
        ))}
      </ul>
      {refused > faults.length ? <p>{t('import.moreRefused', { count: refused - faults.length })}</p> : null}
    </details>
  )
}

export function Counts({ of }: { of: Pick<ImportPreview, 'created' | 'updated' | 'unchanged' | 'refused'> }) {
  const { t } = useTranslation('contacts')
  return (
    <ul className="import-counts wrap">
      {(['created', 'updated', 'unchanged', 'refused'] as const).map(outcome => (
        <li key={outcome} data-outcome={outcome}>
          <strong>{of[outcome]}</strong> {t(`import.count.${outcome}`, { count: of[outcome] })}
        </li>
      ))}
    </ul>
  )
}

/** Lists columns the import could not assign and asks the person to choose. */
export function Doubts({ seen, isCards }: { seen: ImportPreview; isCards: boolean }) {
  const { t } = useTranslation('contacts')
  // vCards name their fields.
  if (isCards) return null
  const left = seen.columns.filter(({ target, sample }) => target === 'ignore' && sample !== '')
  const isNameless = !seen.columns.some(({ target }) => target === 'name')
  if (seen.hasHeader && !(isNameless && left.length)) return null
  return (
    <div className="import-doubts stack-s" role="status">
      {seen.hasHeader ? null : <p>{t('import.doubt.header')}</p>}
      {left.length ? (
        <p>
          {t(isNameless ? 'import.doubt.nameless' : 'import.doubt.left', { count: left.length })}{' '}
          {left.slice(0, 3).map(({ name, sample }) => (
            <span key={name}>
              <bdi>{name}</bdi> (<bdi>{sample.slice(0, 60)}</bdi>)
            </span>
          ))}
        </p>
      ) : null}
    </div>
  )
}

/** The preview of an import: what would change for the rows of a file. */
export function Preview({ seen, nameOf }: { seen: ImportPreview; nameOf(target: string): string }) {
  const { t } = useTranslation('contacts')
  if (!seen.columns.some(({ target }) => target === 'phone')) return <p role="status">{t('import.phoneMissing')}</p>
  const what = (one: ImportPreview['first'][number]): string => {
    if (one.fault) return t(`import.fault.${one.fault}`, { column: one.column ?? '' })
    return one.changes.map(nameOf).join(', ')
  }
  return (
    <>
      <div role="status">
        <Counts of={seen} />
      </div>
      {seen.newTags.length ? (
        <p>{t('import.newTags', { count: seen.newTags.length, tags: seen.newTags.join(', ') })}</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="import-table box" aria-label={t('import.first')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {(['row', 'number', 'name', 'outcome'] as const).map(head => (
                <th key={head} scope="col">
                  {t(`import.head.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.first.map(one => (
              <tr key={one.row}>
                <td>{one.row}</td>
                <td>{one.number}</td>
                <td>
                  <bdi>{one.name}</bdi>
                </td>
                <td data-outcome={one.outcome}>
                  <b>{t(`import.outcome.${one.outcome}`)}</b> {what(one)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <RefusedRows faults={seen.faults} refused={seen.refused} />
    </>
  )
}
