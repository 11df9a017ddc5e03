/** One measurement. Each `test/bench/<name>.bench.ts` exports these three. */
export interface Benchmark {
  readonly name: string
  readonly title: string
  /** Measures and prints a table with the ratios to its peers. Returns whether every goal was reached. */
  run(args: readonly string[]): Promise<boolean>
}
