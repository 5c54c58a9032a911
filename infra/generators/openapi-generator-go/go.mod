module tokenlaunch.example/service/infra/generators/openapi-generator-go

go 1.26.0
