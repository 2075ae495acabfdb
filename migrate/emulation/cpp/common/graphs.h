// Graphs: work that is kept and done later, added node by node or captured from streams. A graph runs in an order that
// its dependencies allow. A header that includes this defines API(name); runtime_api.h and textures.h come before it.
#include <memory>
#include <tuple>

enum API(GraphNodeType) {
    API(GraphNodeTypeKernel),
    API(GraphNodeTypeMemcpy),
    API(GraphNodeTypeMemset),
    API(GraphNodeTypeHost),
    API(GraphNodeTypeGraph),
    API(GraphNodeTypeEmpty),
};
typedef ::cudamigrate_emulation::Graph *API(Graph_t);
typedef ::cudamigrate_emulation::Graph *API(GraphExec_t);
typedef ::cudamigrate_emulation::GraphNode *API(GraphNode_t);
struct API(MemsetParams) {
    void *dst;
    size_t elementSize, height, pitch;
    unsigned int value;
    size_t width;
};
struct API(HostNodeParams) {
    API(HostFn_t) fn;
    void *userData;
};

namespace cudamigrate_emulation {

inline API(Error_t) add_node(GraphNode **made, Graph *graph, GraphNode *const *before, size_t count, int type,
                             std::function<void()> work) {
    graph->nodes.emplace_back(new GraphNode{std::move(work), {before, before + count}, type});
    if (made != nullptr) *made = graph->nodes.back().get();
    return API(Success);
}
// The kernel of a node with its arguments as they are now.
template <typename Params>
std::function<void()> kernel_work(const Params &given) {
    if (given.kernelParams == nullptr) missing("a kernel of a graph whose arguments are packed");
    return bound(given.func, {given.cudamigrate_emulation_gridDim, given.cudamigrate_emulation_blockDim, given.sharedMemBytes},
                 given.kernelParams);
}
inline std::function<void()> memset_work(const API(MemsetParams) &given) {
    return [given] {
        for (size_t row = 0; row < std::max<size_t>(given.height, 1); ++row) {
            char *const to = static_cast<char *>(given.dst) + row * given.pitch;
            if (!fits(to, given.width * given.elementSize)) missing("a graph that sets memory which is not there");
            for (size_t at = 0; at < given.width; ++at)
                std::memcpy(to + at * given.elementSize, &given.value, given.elementSize);
        }
    };
}
inline void run_graph(const Graph &graph) {
    std::vector<const GraphNode *> done;
    const auto is_done = [&](const GraphNode *node) { return std::find(done.begin(), done.end(), node) != done.end(); };
    while (done.size() < graph.nodes.size()) {
        const size_t before = done.size();
        for (const auto &node : graph.nodes) {
            if (is_done(node.get()) || !std::all_of(node->before.begin(), node->before.end(), is_done)) continue;
            if (node->work) node->work();
            done.push_back(node.get());
        }
        if (done.size() == before) missing("a graph whose nodes wait for each other");
    }
}
// A copy of a graph as it is now, whose nodes are found by those of the original.
inline Graph *copied(const Graph &graph) {
    Graph *const made = new Graph;
    std::map<const GraphNode *, GraphNode *> known;
    for (const auto &node : graph.nodes) {
        made->nodes.emplace_back(new GraphNode{node->work, {}, node->type});
        known[node.get()] = made->nodes.back().get();
    }
    for (const auto &node : graph.nodes)
        for (const GraphNode *before : node->before) known[node.get()]->before.push_back(known[before]);
    made->origin = known;
    return made;
}
inline GraphNode *of_copy(Graph *copy, const GraphNode *node) {
    const auto found = copy->origin.find(node);
    return found == copy->origin.end() ? nullptr : found->second;
}
}  // namespace cudamigrate_emulation

inline API(Error_t) API(StreamBeginCapture)(API(Stream_t) stream, API(StreamCaptureMode) = API(StreamCaptureModeGlobal)) {
    if (stream == nullptr || stream->into != nullptr) return API(ErrorInvalidValue);
    stream->into = new ::cudamigrate_emulation::Graph;
    ++::cudamigrate_emulation::captures;
    return API(Success);
}
inline API(Error_t) API(StreamEndCapture)(API(Stream_t) stream, API(Graph_t) *graph) {
    if (stream == nullptr || stream->into == nullptr) return API(ErrorInvalidValue);
    *graph = stream->into;
    --::cudamigrate_emulation::captures;
    const std::lock_guard<std::mutex> lock(::cudamigrate_emulation::streams_guard());
    for (auto *one : ::cudamigrate_emulation::streams())
        if (one->into == *graph) one->into = nullptr;
    return API(Success);
}
inline API(Error_t) API(GraphCreate)(API(Graph_t) *graph, unsigned int) {
    return *graph = new ::cudamigrate_emulation::Graph, API(Success);
}
inline API(Error_t) API(GraphDestroy)(API(Graph_t) graph) { return delete graph, API(Success); }
inline API(Error_t) API(GraphExecDestroy)(API(GraphExec_t) graph) { return delete graph, API(Success); }
inline API(Error_t) API(GraphClone)(API(Graph_t) *made, API(Graph_t) graph) {
    return *made = ::cudamigrate_emulation::copied(*graph), API(Success);
}
template <typename... Any>
API(Error_t) API(GraphInstantiate)(API(GraphExec_t) *made, API(Graph_t) graph, const Any &...) {
    return *made = ::cudamigrate_emulation::copied(*graph), API(Success);
}
inline API(Error_t) API(GraphInstantiateWithFlags)(API(GraphExec_t) *made, API(Graph_t) graph, unsigned long long) {
    return API(GraphInstantiate)(made, graph);
}
inline API(Error_t) API(GraphUpload)(API(GraphExec_t), API(Stream_t)) { return API(Success); }
inline API(Error_t) API(GraphLaunch)(API(GraphExec_t) graph, API(Stream_t) stream) {
    if (!::cudamigrate_emulation::kept(stream, [graph] { ::cudamigrate_emulation::run_graph(*graph); }))
        ::cudamigrate_emulation::run_graph(*graph);
    return API(PeekAtLastError)();
}
inline API(Error_t) API(GraphGetNodes)(API(Graph_t) graph, API(GraphNode_t) *nodes, size_t *count) {
    for (size_t at = 0; nodes != nullptr && at < std::min(*count, graph->nodes.size()); ++at)
        nodes[at] = graph->nodes[at].get();
    if (nodes == nullptr || *count > graph->nodes.size()) *count = graph->nodes.size();
    return API(Success);
}
inline API(Error_t) API(GraphNodeGetType)(API(GraphNode_t) node, API(GraphNodeType) *type) {
    return *type = static_cast<API(GraphNodeType)>(node->type), API(Success);
}
inline API(Error_t)
    API(GraphAddDependencies)(API(Graph_t), const API(GraphNode_t) *from, const API(GraphNode_t) *to, size_t count) {
    for (size_t at = 0; at < count; ++at) to[at]->before.push_back(from[at]);
    return API(Success);
}
template <typename Params>
API(Error_t) API(GraphAddKernelNode)(API(GraphNode_t) *made, API(Graph_t) graph, const API(GraphNode_t) *before,
                                     size_t count, const Params *given) {
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeKernel),
                                             ::cudamigrate_emulation::kernel_work(*given));
}
template <typename Params>
API(Error_t) API(GraphExecKernelNodeSetParams)(API(GraphExec_t) graph, API(GraphNode_t) node, const Params *given) {
    auto *const own = ::cudamigrate_emulation::of_copy(graph, node);
    if (own == nullptr) return API(ErrorInvalidValue);
    return own->work = ::cudamigrate_emulation::kernel_work(*given), API(Success);
}
template <typename Params>
API(Error_t) API(GraphKernelNodeSetParams)(API(GraphNode_t) node, const Params *given) {
    return node->work = ::cudamigrate_emulation::kernel_work(*given), API(Success);
}
inline API(Error_t) API(GraphAddMemcpyNode)(API(GraphNode_t) *made, API(Graph_t) graph, const API(GraphNode_t) *before,
                                            size_t count, const API(Memcpy3DParms) *given) {
    const API(Memcpy3DParms) how = *given;
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeMemcpy),
                                             [how] { API(Memcpy3D)(&how); });
}
inline API(Error_t) API(GraphAddMemcpyNode1D)(API(GraphNode_t) *made, API(Graph_t) graph,
                                              const API(GraphNode_t) *before, size_t count, void *to, const void *from,
                                              size_t bytes, API(MemcpyKind) kind) {
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeMemcpy),
                                             [=] { API(Memcpy)(to, from, bytes, kind); });
}
inline API(Error_t) API(GraphAddMemsetNode)(API(GraphNode_t) *made, API(Graph_t) graph, const API(GraphNode_t) *before,
                                            size_t count, const API(MemsetParams) *given) {
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeMemset),
                                             ::cudamigrate_emulation::memset_work(*given));
}
inline API(Error_t) API(GraphAddHostNode)(API(GraphNode_t) *made, API(Graph_t) graph, const API(GraphNode_t) *before,
                                          size_t count, const API(HostNodeParams) *given) {
    const API(HostNodeParams) call = *given;
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeHost),
                                             [call] { call.fn(call.userData); });
}
inline API(Error_t) API(GraphAddEmptyNode)(API(GraphNode_t) *made, API(Graph_t) graph, const API(GraphNode_t) *before,
                                           size_t count) {
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeEmpty), nullptr);
}
inline API(Error_t) API(GraphAddChildGraphNode)(API(GraphNode_t) *made, API(Graph_t) graph,
                                                const API(GraphNode_t) *before, size_t count, API(Graph_t) child) {
    const std::shared_ptr<::cudamigrate_emulation::Graph> own(::cudamigrate_emulation::copied(*child));
    return ::cudamigrate_emulation::add_node(made, graph, before, count, API(GraphNodeTypeGraph),
                                             [own] { ::cudamigrate_emulation::run_graph(*own); });
}
