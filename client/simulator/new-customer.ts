const names = [
  'Lucía Méndez',
  'Martín Acosta',
  'Sofía Herrera',
  'Tomás Giménez',
  'Valentina Ríos',
  'Julián Peralta',
  'Camila Duarte',
  'Facundo Luna',
  'Abril Sosa',
  'Bruno Vega',
  'Milagros Ortiz',
  'Nicolás Ferreyra',
]

/** Last six digits in here mean no failure: the magic ones begin with 1 or 9. */
const [lowest, highest] = [200_000, 899_999]

/** Somebody from Buenos Aires who is not there yet. In event handlers only: chance has no place while rendering. */
export function suggestCustomer(taken: readonly { name: string; waId: string }[]): { name: string; number: string } {
  const free = names.filter(name => !taken.some(one => one.name === name))
  const pool = free.length ? free : names
  const pick = (max: number) => Math.floor(Math.random() * max)
  const name = pool[pick(pool.length)] as string
  for (;;) {
    const line = String(lowest + pick(highest - lowest))
    const waId = `5491155${line}`
    if (!taken.some(one => one.waId === waId))
      return { name, number: `+54 9 11 55${line.slice(0, 2)} ${line.slice(2)}` }
  }
}
