import { useId, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { FileButton } from '#client/ui/controls/file-button.tsx'
import { peopleFiles, readCsvText } from '#client/ui/files/csv-text.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FileCheck } from '#shared/bulk-sends/audience.ts'
import { audienceMaxChars, maxRecipients } from '#shared/bulk-sends/limits.ts'
import { isVcard } from '#shared/people-files/vcard.ts'
import { LargeFile } from './large-file.tsx'

/** A file and its check. */
export interface ChosenFile {
  readonly name: string
  readonly text: string
  readonly check: FileCheck
}

/** A file to check, with the person's choices. Everything else is detected. */
interface Looked {
  readonly name: string
  readonly text: string
  readonly phoneColumn?: string
  readonly hasHeader?: boolean
}

interface CsvFileProps {
  readonly file: ChosenFile | undefined
  onChange(file: ChosenFile | undefined): void
}

/** A value that cannot be a column's name. */
const several = '\n'

const ColumnHeads = ({ check: { columns, phoneColumns } }: { check: FileCheck }) =>
  columns.map(name => (
    <th key={name} scope="col" data-phone={phoneColumns.includes(name) || undefined}>
      <bdi>{name}</bdi>
    </th>
  ))

/** Shows rows that have a problem as they are in the file, with the wrong cell marked. */
function FaultyRows({ check }: { check: FileCheck }) {
  const { t } = useTranslation('bulk-sends')
  const { columns, phoneColumns, faults } = check
  const whole = faults.filter(({ cells }) => cells)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="bulk-table box" aria-label={t('file.faultyRows')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('file.rowHead')}</th>
            <th scope="col">{t('file.problem')}</th>
            <ColumnHeads check={check} />
          </tr>
        </thead>
        <tbody>
          {whole.map(({ row, fault, cells = [], value }) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              <td className="bulk-problem">{t(`file.fault.${fault}`)}</td>
              {cells.map((cell, i) => {
                const name = columns[i] ?? ''
                const isHere = phoneColumns.length ? phoneColumns.includes(name) && cell === value : cell === value
                return (
                  <td key={name} data-bad={isHere || undefined}>
                    {cell}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The first rows, and faults by row. Nothing was sent yet. */
function FileReport({ check }: { check: FileCheck }) {
  const { t } = useTranslation('bulk-sends')
  const { columns, rows, first, faults, faulty } = check
  const others = faults.filter(({ cells }) => !cells)
  return (
    <>
      <p role="status">
        {t('file.rows', { count: rows })} {faulty ? t('file.faulty', { count: faulty }) : t('file.noFault')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="bulk-table box" aria-label={t('file.first')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <ColumnHeads check={check} />
            </tr>
          </thead>
          <tbody>
            {first.map((cells, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
              <tr key={i}>
                {cells.map((cell, j) => (
                  <td key={columns[j]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {faults.length ? (
        <details className="bulk-faults" open>
          <summary>{t('file.whatIsWrong', { count: faulty })}</summary>
          <FaultyRows check={check} />
          {others.length ? (
            <ul>
              {others.map(({ row, fault, value }) => (
                <li key={row}>
                  <b>{t('file.row', { row })}</b> {t(`file.fault.${fault}`)} {value ? <code>{value}</code> : null}
                </li>
              ))}
            </ul>
          ) : null}
          {faulty > faults.length ? <p>{t('file.moreFaults', { count: faulty - faults.length })}</p> : null}
        </details>
      ) : null}
    </>
  )
}

/** Chooses a file of recipients, checks it on the server, and selects the phone columns. */
export function CsvFile({ file, onChange }: CsvFileProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const api = useApi()
  const failureText = useFailureText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string>()
  /** Too large for one send: checked in parts, until one is chosen. */
  const [large, setLarge] = useState<File>()
  const [isReading, read] = useTransition()
  /** Only the last choice counts. */
  const asked = useRef(0)

  const figure = new Intl.NumberFormat(i18n.language)
  const limits = { people: figure.format(maxRecipients), megabytes: figure.format(audienceMaxChars / 1e6) }

  const look = ({ name, text, ...given }: Looked, whole?: File) => {
    asked.current += 1
    const mine = asked.current
    read(async () => {
      setFailure(undefined)
      try {
        const check = await api.bulkSends.checkFile({ body: { csv: { text, ...given } } })
        if (mine === asked.current) onChange({ name, text, check })
      } catch (error) {
        if (mine !== asked.current) return
        const hasTooMany = isApiError(error) && error.details.some(({ code }) => code === 'maxItems')
        if (whole && hasTooMany) setLarge(whole)
        else setFailure(failureText(error))
      }
    })
  }

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    asked.current += 1
    const mine = asked.current
    onChange(undefined)
    setFailure(undefined)
    setLarge(undefined)
    const found = await readCsvText(chosen, audienceMaxChars)
    if (mine !== asked.current) return
    if (found === 'tooLarge' && !/\.(?:vcf|vcard)$/i.test(chosen.name)) return setLarge(chosen)
    if (typeof found === 'string') return setFailure(t(`file.refused.${found}`))
    look({ name: chosen.name, text: found.text }, chosen)
  }

  const remove = () => {
    asked.current += 1
    setFailure(undefined)
    onChange(undefined)
    input.current?.focus()
  }

  const phoneColumns = file?.check.phoneColumns ?? []
  return (
    <div className="field bulk-file">
      <label htmlFor={id}>{t('file.label')}</label>
      <FileButton
        ref={input}
        id={id}
        accept={peopleFiles}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          // So that choosing the same file again fires an event.
          target.value = ''
          void choose(chosen)
        }}
      />
      <div id={`${id}-hint`} className="field-hint">
        {t('file.hint', limits)}
      </div>
      {isReading ? <p role="status">{t('file.reading')}</p> : null}
      {failure ? <Fault>{failure}</Fault> : null}
      {large && !file ? <LargeFile file={large} onChoose={onChange} /> : null}
      {file ? (
        <>
          <p className="bulk-file-name line">
            <Icon name="file" />
            <strong className="cut" dir="auto">
              {file.name}
            </strong>
            <button type="button" className="button" onClick={remove}>
              {t('file.remove')}
            </button>
          </p>
          <label htmlFor={`${id}-column`}>{t('file.phoneColumn')}</label>
          <select
            id={`${id}-column`}
            value={phoneColumns.length > 1 ? several : (file.check.phoneColumn ?? '')}
            onChange={({ target }) =>
              look({
                name: file.name,
                text: file.text,
                hasHeader: file.check.hasHeader,
                ...(target.value === several ? {} : { phoneColumn: target.value }),
              })
            }
          >
            {phoneColumns.length > 1 ? (
              <option value={several}>{t('file.firstNumberOf', { columns: phoneColumns.join(', ') })}</option>
            ) : null}
            {file.check.phoneColumn === null ? <option value="">{t('file.choose')}</option> : null}
            {file.check.columns.map(name => (
              <option key={name} value={name} dir="auto">
                {name}
              </option>
            ))}
          </select>
          {isVcard(file.text) ? null : (
            <label className="bulk-check">
              <input
                type="checkbox"
                checked={file.check.hasHeader}
                onChange={({ target }) => look({ name: file.name, text: file.text, hasHeader: target.checked })}
              />
              <span>{t('file.hasHeader')}</span>
            </label>
          )}
          <FileReport check={file.check} />
        </>
      ) : null}
    </div>
  )
}
