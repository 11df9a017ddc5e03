/** The next turn of the browser's loop: what was pressed and what is to be painted comes first. */
export const nextTurn = async (): Promise<void> => {
  // Not in every browser, whatever its type says.
  const scheduler: Partial<Scheduler> | undefined = window.scheduler
  await (scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve)))
}
