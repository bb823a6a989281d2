// Lists that come in pages.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_PAGING_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_PAGING_H_

#include <algorithm>
#include <cstdint>
#include <memory>

#include "client_examples/meanderctl/session.h"

namespace meander::ctl {

inline constexpr std::int64_t kPageSize = 1000;

// Asks for page after page until `limit` entries have come (0: all of them).
// `use` is given each page, and returns how many entries it has.
template <typename Response, typename Stub, typename Request, typename Use>
grpc::Status EachOnPages(Session& session, const std::unique_ptr<Stub>& stub,
                         grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                      const Request&,
                                                      Response*),
                         Request request, std::int64_t limit, const Use& use) {
  std::int64_t rest = limit;
  for (;;) {
    request.set_page_size(static_cast<std::int32_t>(
        limit == 0 ? kPageSize : std::min(rest, kPageSize)));
    Response page;
    const grpc::Status status =
        session.Call(Repeat::kSafe, stub, method, request, page);
    if (!status.ok()) return status;
    rest -= use(page);
    if (page.next_page_token().empty() || (limit != 0 && rest <= 0)) {
      return status;
    }
    request.set_page_token(page.next_page_token());
  }
}

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_PAGING_H_
