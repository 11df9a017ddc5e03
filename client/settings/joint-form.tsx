import {
  createContext,
  type FormEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useWork } from '#client/app/calls/use-work.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { SaveButton } from './save-button.tsx'

/** The fields of one call in a form that is saved as a whole. */
interface FormPart {
  readonly isChanged: boolean
  /** Returns false if it was refused; the part shows why. */
  save(): Promise<boolean>
  /** Replaces what was typed by what is stored. */
  discard(): void
}

const PartsOfForm = createContext<(id: string, part: FormPart | undefined) => void>(() => {
  throw new Error('useFormPart needs a JointForm around it')
})

/** Adds fields to the form around them. */
export const useFormPart = (part: FormPart): void => {
  const id = useId()
  const put = use(PartsOfForm)
  // In every rendering, because the functions of a part know the values typed until then.
  useEffect(() => put(id, part))
  useEffect(() => () => put(id, undefined), [id, put])
}

/** One form around several cards. It saves those that have changed, and shows a refusal in the card of its field. */
export function JointForm({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('settings')
  const form = useRef<HTMLFormElement>(null)
  const parts = useRef(new Map<string, FormPart>())
  const [isChanged, setIsChanged] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const [isSaving, save] = useWork()
  const changedParts = () => [...parts.current.values()].filter(part => part.isChanged)
  const put = useCallback((id: string, part: FormPart | undefined) => {
    if (part) parts.current.set(id, part)
    else parts.current.delete(id)
    setIsChanged([...parts.current.values()].some(one => one.isChanged))
  }, [])
  useEffect(() => {
    if (refusals) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
  }, [refusals])
  const submit = (event: FormEvent) => {
    // A form action would reset selects to their initial values.
    event.preventDefault()
    if (isSaving) return
    save(async () => {
      const changed = changedParts()
      let saved = 0
      for (const part of changed) if (await part.save()) saved += 1
      if (saved < changed.length) setRefusals(count => count + 1)
      else if (saved) toast(t('saved'), { kind: 'success' })
    })
  }
  return (
    <form ref={form} className="joint-form" onSubmit={submit} noValidate>
      <PartsOfForm value={put}>{children}</PartsOfForm>
      <SaveButton
        canSave={isChanged && !isSaving}
        isChanged={isChanged}
        onDiscard={() => {
          for (const part of changedParts()) part.discard()
        }}
      />
    </form>
  )
}
