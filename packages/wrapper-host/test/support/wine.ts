/** Whether this Windows is Wine, which the starter of the tests reports. No test can avoid some of its faults. */
export const isWine = process.env.SERVICE_TEST_WINE === '1'
