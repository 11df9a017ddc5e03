import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { type FilePart, partsOfFile, textOfPart } from '#client/ui/files/csv-parts.ts'
import type { FileCheck } from '#shared/bulk-sends/audience.ts'
import { audienceMaxChars, maxRecipients } from '#shared/bulk-sends/limits.ts'
import { createRepeats, textWithout } from './part-repeats.ts'

interface CheckedPart {
  readonly part: FilePart
  readonly check: FileCheck
  /** Rows whose number is in an earlier part. */
  readonly repeated: ReadonlySet<number>
}

interface LargeFileProps {
  readonly file: File
  /** A checked part, to be sent. */
  onChoose(part: { name: string; text: string; check: FileCheck }): void
}

/** Reserved for column names, which each part repeats. */
const namesBytes = 64 * 1024
const limits = { maxBytes: audienceMaxChars - namesBytes, maxRows: maxRecipients }

/** A file too large for one send: checked and split into parts, each of which can be sent. */
export function LargeFile({ file, onChoose }: LargeFileProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const api = useApi()
  const failureText = useFailureText()
  const [parts, setParts] = useState<readonly CheckedPart[]>([])
  const [failure, setFailure] = useState<string>()
  const [isOver, setIsOver] = useState(false)
  const [isOncePerFile, setOncePerFile] = useState(true)
  const stop = useRef<AbortController>(undefined)
  const figure = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a file is looked at once
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    stop.current = controller
    const repeats = createRepeats()
    const look = async () => {
      for await (const part of partsOfFile(file, { ...limits, signal })) {
        const text = await textOfPart(file, part)
        signal.throwIfAborted()
        if (text === undefined) return setFailure(t('file.refused.notText'))
        const check = await api.bulkSends.checkFile({
          body: { csv: { text, hasHeader: part.hasHeader }, withNumbers: true },
        })
        signal.throwIfAborted()
        const { numbers = '', ...rest } = check
        setParts(before => [...before, { part, check: rest, repeated: repeats.take(numbers) }])
      }
    }
    look().then(
      () => setIsOver(true),
      error => {
        if (signal.aborted) return
        setIsOver(true)
        setFailure(failureText(error))
      },
    )
    return () => controller.abort()
  }, [file])

  const choose = async ({ part, check, repeated }: CheckedPart, number: number) => {
    const whole = await textOfPart(file, part)
    if (whole === undefined) return
    stop.current?.abort()
    const name = t('file.part', { name: file.name, number })
    if (!isOncePerFile || !repeated.size) return onChoose({ name, text: whole, check })
    const { hasHeader } = part
    const text = await textWithout(whole, repeated, { hasHeader })
    try {
      onChoose({ name, text, check: await api.bulkSends.checkFile({ body: { csv: { text, hasHeader } } }) })
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  const end = () => {
    stop.current?.abort()
    setIsOver(true)
  }
  const rows = parts.reduce((sum, { part }) => sum + part.rows, 0)
  const faulty = parts.reduce((sum, { check }) => sum + check.faulty, 0)
  const read = parts.at(-1)?.part.to ?? 0
  return (
    <div className="bulk-large stack-m">
      <p>
        {t('file.large', { people: figure.format(maxRecipients), megabytes: figure.format(audienceMaxChars / 1e6) })}
      </p>
      <p role="status">
        {isOver ? null : `${t('file.readSoFar', { percent: percent.format(read / Math.max(1, file.size)) })} `}
        {rows ? `${t('file.rows', { count: rows })} ` : null}
        {rows ? (faulty ? t('file.faulty', { count: faulty }) : t('file.noFault')) : null}
      </p>
      {isOver ? null : (
        <button type="button" className="button" onClick={end}>
          {t('file.stop')}
        </button>
      )}
      {failure ? <Fault>{failure}</Fault> : null}
      {parts.some(({ repeated }) => repeated.size) ? (
        <label className="bulk-check">
          <input type="checkbox" checked={isOncePerFile} onChange={({ target }) => setOncePerFile(target.checked)} />
          <span>{t('file.oncePerFile')}</span>
        </label>
      ) : null}
      {parts.length ? (
        <ol className="bulk-parts stack-m">
          {parts.map((one, i) => (
            <li key={one.part.from}>
              <span>
                {t('file.partRows', {
                  from: figure.format(one.part.firstRow),
                  to: figure.format(one.part.firstRow + one.part.rows - 1),
                })}{' '}
                <small>
                  {one.check.faulty ? t('file.faulty', { count: one.check.faulty }) : t('file.noFault')}
                  {one.check.faults[0]
                    ? ` ${t('file.row', { row: figure.format(one.check.faults[0].row + one.part.firstRow - (one.part.hasHeader ? 2 : 1)) })} ${t(`file.fault.${one.check.faults[0].fault}`)}`
                    : null}
                  {one.repeated.size ? ` ${t('file.repeated', { count: one.repeated.size })}` : null}
                </small>
              </span>
              <button type="button" className="button" onClick={() => void choose(one, i + 1)}>
                {t('file.choosePart', { number: i + 1 })}
              </button>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  )
}
