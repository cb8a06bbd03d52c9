package dev.postern.sidecar.io.uring;

/** Sizes and field offsets in bytes, from liburing.h and linux/io_uring.h; a test compares them. */
final class Layout {

  // struct io_uring
  static final int RING_BYTES = 216;
  static final int SQ_KHEAD = 0;
  static final int SQ_KTAIL = 8;
  static final int SQ_KFLAGS = 32;
  static final int SQ_ARRAY = 48;
  static final int SQ_SQES = 56;
  static final int CQ_KHEAD = 104;
  static final int CQ_KTAIL = 112;
  static final int CQ_CQES = 152;
  static final int RING_FD = 196;
  static final int ENTER_RING_FD = 204;

  // struct io_uring_params
  static final int PARAMS_BYTES = 120;
  static final int PARAMS_SQ_ENTRIES = 0;
  static final int PARAMS_CQ_ENTRIES = 4;
  static final int PARAMS_FLAGS = 8;
  static final int PARAMS_SQ_THREAD_CPU = 12;
  static final int PARAMS_SQ_THREAD_IDLE = 16;

  // struct io_uring_sqe
  static final int SQE_BYTES = 64;
  static final int SQE_OPCODE = 0;
  static final int SQE_FLAGS = 1;
  static final int SQE_FD = 4;
  static final int SQE_OFF = 8;
  static final int SQE_ADDR = 16;
  static final int SQE_LEN = 24;
  static final int SQE_OP_FLAGS = 28;
  static final int SQE_USER_DATA = 32;
  static final int SQE_BUF_INDEX = 40;

  // struct io_uring_cqe
  static final int CQE_BYTES = 16;
  static final int CQE_USER_DATA = 0;
  static final int CQE_RES = 8;
  static final int CQE_FLAGS = 12;

  // struct io_uring_buf and io_uring_buf_ring
  static final int BUF_BYTES = 16;
  static final int BUF_ADDR = 0;
  static final int BUF_LEN = 8;
  static final int BUF_BID = 12;
  static final int BUF_RING_TAIL = 14;

  // struct io_uring_buf_reg
  static final int BUF_REG_BYTES = 40;
  static final int BUF_REG_RING_ADDR = 0;
  static final int BUF_REG_RING_ENTRIES = 8;

  // struct io_uring_getevents_arg
  static final int GETEVENTS_BYTES = 24;
  static final int GETEVENTS_SIGMASK_SZ = 8;
  static final int GETEVENTS_TS = 16;

  // struct io_uring_sync_cancel_reg
  static final int SYNC_CANCEL_BYTES = 64;
  static final int SYNC_CANCEL_FD = 8;
  static final int SYNC_CANCEL_FLAGS = 12;
  static final int SYNC_CANCEL_TIMEOUT = 16;

  private Layout() {}
}
