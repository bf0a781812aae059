/** Every fault of the environment, one line each. Values of secrets are not in it. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length} fault(s):\n${faults.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}
