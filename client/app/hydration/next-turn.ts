/** Yields to the event loop, so that input and painting come first. */
export const nextTurn = async (): Promise<void> => {
  // Missing in some browsers, despite its type.
  const scheduler: Partial<Scheduler> | undefined = window.scheduler
  await (scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve)))
}
