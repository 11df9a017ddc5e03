import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import type { InParts } from '#client/app/calls/use-in-parts.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { ContactsChange } from '#shared/contacts/api.ts'
import type { Tag } from '#shared/tags/api.ts'
import type { Picked } from './picked.ts'

export interface ChangesProps {
  readonly picked: readonly Picked[]
  readonly parts: InParts
  /** Called with what the change made of each of these contacts. */
  onChanged(ids: readonly string[], change?: Partial<Picked> | ((before: Picked) => Partial<Picked>)): Promise<unknown>
}

/** Changes the selected contacts part by part, and says in a toast what became of it, with an undo where there is one. */
export function useChanges({ picked, parts, onChanged }: ChangesProps) {
  const { t } = useTranslation('contacts')
  const api = useApi()
  const failureText = useFailureText()
  const isBusy = parts.progress !== undefined

  /** Says how far it got, where that is not to the end. */
  const runParts = async (
    rows: readonly Picked[],
    change: (part: readonly Picked[]) => Promise<unknown>,
  ): Promise<boolean> => {
    let done = 0
    const words = () => ({ done, count: rows.length })
    try {
      await parts.run(rows, async part => {
        await change(part)
        done += part.length
      })
      if (done < rows.length) toast(t('select.stopped', words()), { kind: 'info', durationMs: null, closable: true })
      return true
    } catch (error) {
      const reason = failureText(error)
      toast(done ? `${reason} ${t('select.stopped', words())}` : reason, { kind: 'error' })
      return done > 0
    }
  }
  const tell = (text: string, undo?: () => Promise<unknown>) =>
    toast(text, {
      kind: 'success',
      ...(undo ? { action: { label: t('select.undo'), onClick: () => void undo() } } : {}),
    })

  const tag = async (rows: readonly Picked[], { id, label }: Tag, isOn: boolean, mayUndo = true) => {
    const others = rows.filter(({ tagIds }) => tagIds.includes(id) !== isOn)
    const changed: Picked[] = []
    const ended = await runParts(others, async part => {
      const ids = part.map(({ conversationId }) => conversationId)
      const { missing } = await api.inbox.changeChats({ body: { ids, ...(isOn ? { tagId: id } : { untagId: id }) } })
      changed.push(...part.filter(({ conversationId }) => !missing.includes(conversationId)))
    })
    const now = ({ tagIds }: Picked) => ({ tagIds: isOn ? [...tagIds, id] : tagIds.filter(one => one !== id) })
    await onChanged(
      changed.map(one => one.id),
      now,
    )
    if (!ended) return
    const after = changed.map(one => ({ ...one, ...now(one) }))
    tell(
      t(isOn ? 'select.tagged' : 'select.untagged', { tag: label, count: changed.length }),
      mayUndo && changed.length ? () => tag(after, { id, label } as Tag, !isOn, false) : undefined,
    )
  }

  const optOut = async (rows: readonly Picked[], optedOut: boolean, mayUndo = true) => {
    const others = rows.filter(one => one.optedOut !== optedOut)
    const changed: Picked[] = []
    let kept = 0
    const ended = await runParts(others, async part => {
      const reply = await api.contacts.changeContacts({ body: { ids: part.map(({ id }) => id), optedOut } })
      kept += reply.kept.length
      changed.push(...part.filter(({ id }) => !reply.kept.includes(id) && !reply.missing.includes(id)))
    })
    await onChanged(
      changed.map(one => one.id),
      { optedOut },
    )
    if (!ended) return
    const said = t(optedOut ? 'select.optedOut' : 'select.optedIn', { count: changed.length })
    const after = changed.map(one => ({ ...one, optedOut }))
    tell(
      kept ? `${said} ${t('select.kept', { count: kept })}` : said,
      // Opting in again forgets when and why they opted out, which an undo could not restore.
      optedOut && mayUndo && changed.length ? () => optOut(after, false, false) : undefined,
    )
  }

  return {
    isBusy,
    tag: async (one: Tag, isOn: boolean) => {
      if (!isBusy) await tag(picked, one, isOn)
    },
    optOut: async (optedOut: boolean) => {
      if (!isBusy) await optOut(picked, optedOut)
    },
    /** @throws what the API answers to the first part, which the form shows */
    fill: async (field: NonNullable<ContactsChange['field']>): Promise<(() => Promise<void>) | undefined> => {
      if (isBusy) return undefined
      let changed = 0
      const one = async (part: readonly Picked[]) => {
        const reply = await api.contacts.changeContacts({ body: { ids: part.map(({ id }) => id), field } })
        changed += reply.changed
      }
      const first = picked.slice(0, parts.size)
      await one(first)
      return async () => {
        const rest = picked.slice(first.length)
        const ended = !rest.length || (await runParts(rest, one))
        await onChanged([])
        if (ended) tell(t('field.saved', { count: changed }))
      }
    },
  }
}
