const sumMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

/**
 * Milliseconds that this thread has computed. Not the clock on the wall: what others do on the machine is not in it. Nor
 * is the compiler's own thread, which runs beside.
 */
export const threadCpuMs = (): number => sumMs(process.threadCpuUsage());

/** Milliseconds that all threads of this process have computed, for what hands work to others of them. */
export const processCpuMs = (): number => sumMs(process.cpuUsage());
