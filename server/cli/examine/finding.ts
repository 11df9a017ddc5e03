import { databaseFileFault } from '#server/platform/db/sqlite/faults.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'

/** A check and its result. `fix`: the command or the step that repairs it; absent when the check holds. */
export interface Finding {
  readonly name: string
  readonly says: string
  readonly fix?: string
}

export type Verdict = Omit<Finding, 'name'>

export const well = (says: string): Verdict => ({ says })
export const ill = (says: string, fix: string): Verdict => ({ says, fix })
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** A check that throws is a finding, too. */
export const guarded = async (name: string, examine: () => Verdict | Promise<Verdict>, path = ''): Promise<Finding> => {
  try {
    return { name, ...(await examine()) }
  } catch (error) {
    const fault = error instanceof InstallationFault ? error : databaseFileFault(error, path)
    return { name, ...(fault ? ill(fault.says, fault.fix) : ill(messageOf(error), 'npm run check')) }
  }
}
